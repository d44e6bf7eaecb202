import { describe, expect, it } from 'vitest';
import { commandOf, type KeyPlace } from '../../../webview/keyboard.ts';

/** A key press from "Shift+F8" and the like. */
function pressOf(keys: string) {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  const has = (modifier: string) => parts.slice(0, -1).includes(modifier);
  return {
    key: parts.at(-1) ?? '',
    shiftKey: has('Shift'),
    ctrlKey: has('Ctrl'),
    altKey: has('Alt'),
    metaKey: has('Meta'),
  };
}

describe('commandOf', () => {
  it.each<[KeyPlace, string, string | undefined]>([
    ['grid', 'ArrowDown', 'down'],
    ['grid', 'ArrowUp', 'up'],
    ['grid', 'PageDown', 'pageDown'],
    ['grid', 'Home', 'first'],
    ['grid', 'End', 'last'],
    ['grid', 'ArrowRight', 'expand'],
    ['grid', 'ArrowLeft', 'collapse'],
    ['grid', 'Enter', 'open'],
    ['grid', ' ', 'open'],
    ['grid', 'Escape', 'back'],
    ['grid', '/', 'focusFilter'],
    ['grid', 'Shift+/', 'focusFilter'],
    ['grid', 'F8', 'nextFailure'],
    ['grid', 'Shift+F8', 'previousFailure'],
    ['grid', 'r', 'replay'],
    ['grid', 'Shift+R', undefined],
    ['grid', 'c', 'copy'],
    ['grid', 'Ctrl+c', undefined],
    ['grid', 'Meta+c', undefined],
    ['grid', 'Alt+ArrowDown', undefined],
    ['grid', 'Shift+ArrowDown', undefined],
    ['grid', 'Tab', undefined],
    ['grid', 'q', undefined],
    ['filter', 'r', undefined],
    ['filter', '/', undefined],
    ['filter', 'Home', undefined],
    ['filter', 'ArrowDown', undefined],
    ['filter', 'Enter', 'focusGrid'],
    ['filter', 'Escape', 'back'],
    ['filter', 'F8', 'nextFailure'],
    ['details', 'ArrowDown', undefined],
    ['details', 'c', 'copy'],
    ['details', 'Escape', 'back'],
    ['control', 'Enter', undefined],
    ['control', ' ', undefined],
    ['control', '/', 'focusFilter'],
    ['elsewhere', 'F8', 'nextFailure'],
  ])('in %s, %s: %s', (place, keys, expected) => {
    expect(commandOf(pressOf(keys), place)).toBe(expected);
  });
});
