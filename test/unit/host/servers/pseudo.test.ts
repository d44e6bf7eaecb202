import { describe, expect, it, vi } from 'vitest';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { OUTCOME_KINDS } from '../../../../src/protocol/outcome.ts';
import { plainWords, pseudo } from '../../../tools/l10n/pseudo.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';
import { failed, partsOf, running, viewOf } from './views.ts';

vi.mock('vscode', () => vscodeStub(pseudo));
const { childrenOf, itemOf } = await import('../../../../src/host/servers/serverItems.ts');

/** Words that are the same in every language: of the protocol, and where a definition comes from. */
const same = ['stdio', 'stderr', 'settings'];

describe('the Servers tree in another language', () => {
  const calls = OUTCOME_KINDS.flatMap((kind): (readonly [string, OutcomeKind])[] => [
    ['1', kind],
    ['2', kind],
    ['2', kind],
  ]);

  it.each([
    ['running', viewOf(running, ['1', '2'])],
    ['failed', viewOf(failed, ['1'])],
    ['starting', viewOf({ kind: 'starting' })],
    ['stopping', viewOf({ kind: 'stopping' })],
    ['stopped', viewOf({ kind: 'stopped' }, ['1'])],
    ['running without all of its tools', viewOf({ ...running, tools: { tools: [], isComplete: false } })],
  ])('has no English word while a server is %s', (_name, view) => {
    const parts = partsOf(view, calls);
    const [node] = childrenOf(undefined, parts);
    const items = [node, ...childrenOf(node, parts)].flatMap((each) =>
      each === undefined ? [] : [itemOf(each, parts)],
    );
    const texts = items.flatMap(({ label, description, tooltip, accessibilityInformation, command }) =>
      [label, description, tooltip, accessibilityInformation?.label, command?.title].map((text) => String(text ?? '')),
    );
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.flatMap((text) => plainWords(text, same))).toEqual([]);
  });
});
