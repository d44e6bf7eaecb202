/** What a key asks for. */
export type KeyCommand =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'first'
  | 'last'
  | 'collapse'
  | 'expand'
  | 'open'
  | 'back'
  | 'focusFilter'
  | 'focusGrid'
  | 'nextFailure'
  | 'previousFailure'
  | 'replay'
  | 'copy'
  | 'showCompare'
  | 'filterTool'
  | 'filterServer'
  | 'filterOutcome'
  | 'toggleLanes'
  | 'toggleCharts';

/** Where the focus is. `control` is a button, tab or splitter, whose own keys stay its own. */
export type KeyPlace = 'grid' | 'filter' | 'details' | 'control' | 'elsewhere';

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const GRID_KEYS: Readonly<Record<string, KeyCommand>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
  ArrowLeft: 'collapse',
  ArrowRight: 'expand',
  Enter: 'open',
  ' ': 'open',
};

const FILTER_KEYS: Readonly<Record<string, KeyCommand>> = {
  Enter: 'focusGrid',
};

const LETTER_KEYS: Readonly<Record<string, KeyCommand>> = {
  '/': 'focusFilter',
  r: 'replay',
  c: 'copy',
};

/**
 * The command of a key press, `undefined` when the key is left to the browser and to VS Code. Letters count only outside
 * of the filter and without modifiers, so that Ctrl+C still copies a selection.
 */
export function commandOf(press: KeyPress, place: KeyPlace): KeyCommand | undefined {
  if (press.ctrlKey || press.altKey || press.metaKey) {
    return undefined;
  }
  if (press.key === 'F8') {
    return press.shiftKey ? 'previousFailure' : 'nextFailure';
  }
  if (press.shiftKey && press.key.length > 1) {
    return undefined;
  }
  if (press.key === 'Escape') {
    return 'back';
  }
  if (place === 'filter') {
    return FILTER_KEYS[press.key];
  }
  const letter = LETTER_KEYS[press.key.toLowerCase()];
  if (letter !== undefined && !(press.shiftKey && letter !== 'focusFilter')) {
    return letter;
  }
  return place === 'grid' ? GRID_KEYS[press.key] : undefined;
}
