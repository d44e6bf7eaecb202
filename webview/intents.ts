import type { OutcomeKind } from '../src/protocol/outcome.ts';
import type { TimeRange } from '../src/protocol/timelineViews.ts';
import type { TimelineRequests } from '../src/protocol/webview.ts';
import type { KeyCommand } from './keyboard.ts';
import type { DetailsTab, Place } from './store.ts';

/** Everything that a person can ask of the page. Views call these and nothing else. */
export interface Intents {
  /** Selects the row at `index` of the list, and leaves everything else as it is. */
  readonly selectRow: (index: number) => void;
  /** Selects the row at `index` of the list and opens its details. */
  readonly openRow: (index: number) => void;
  readonly setExpanded: (index: number, isExpanded: boolean) => void;
  /** Selects a row that may be folded, filtered out or far away. */
  readonly revealKey: (key: number) => void;
  readonly closeDetails: () => void;
  readonly chooseTab: (tab: DetailsTab) => void;
  /** Shows messages as on the wire, or as trees. */
  readonly setRaw: (isRaw: boolean) => void;
  /** Goes to a place of a message of the row. */
  readonly showPlace: (place: Place) => void;
  /** Asks the host; a refusal is told in the footer, and gives `undefined`. */
  readonly ask: <M extends keyof TimelineRequests>(
    method: M,
    params: TimelineRequests[M]['params'],
  ) => Promise<TimelineRequests[M]['result'] | undefined>;
  readonly resizeDetails: (width: number) => void;
  readonly toggleOutcome: (outcome: OutcomeKind) => void;
  readonly typeFilter: (text: string) => void;
  readonly replaceFilter: (text: string, hiddenOutcomes: readonly OutcomeKind[]) => void;
  /** Empties the field, and stays in it. */
  readonly emptyFilter: () => void;
  /** Lets the person pick a saved filter, or save this one. */
  readonly pickFilter: () => void;
  readonly clearFilter: () => void;
  /** Shows only the rows that began in a time; `undefined`: of all time. */
  readonly chooseRange: (range: TimeRange | undefined) => void;
  /** Goes to a row that began in `[fromUs, toUs)`, or to the nearest one; of a server when its id is given. */
  readonly jumpToTime: (fromUs: number, toUs: number, server?: string) => void;
  /** Shows only the rows of the server with this name, or those of all again. */
  readonly filterServer: (name: string) => void;
  /** Shows only the rows that took at least so long, µs. */
  readonly filterSlower: (us: number) => void;
  readonly toggleLanes: () => void;
  readonly toggleCharts: () => void;
  readonly toggleFollowing: () => void;
  readonly scrolled: (scrollTop: number, isAtEnd: boolean) => void;
  readonly openPayload: (seq: number) => void;
  readonly goToToolSource: (key: number) => void;
  readonly runCommand: (command: TimelineRequests['runCommand']['params']['command']) => void;
  /** Runs the command of a key press or of the palette. */
  readonly run: (command: KeyCommand) => void;
}
