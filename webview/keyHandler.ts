import { commandOf, type KeyCommand, type KeyPlace } from './keyboard.ts';

function placeOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) {
    return 'elsewhere';
  }
  if (target.id === 'filter') {
    return 'filter';
  }
  if (target.id === 'grid' || target === document.body) {
    return 'grid';
  }
  return target.closest('button, [role=tab], [role=separator]') === null ? 'details' : 'control';
}

/** Runs the commands of key presses in the page. Returns what stops it. */
export function handleKeys(run: (command: KeyCommand) => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandOf(event, placeOf(event.target));
    if (command !== undefined) {
      // Stopped as well, or VS Code would run the key binding of the same command a second time.
      event.preventDefault();
      event.stopPropagation();
      run(command);
    }
  };
  document.body.addEventListener('keydown', onKeyDown);
  return () => document.body.removeEventListener('keydown', onKeyDown);
}
