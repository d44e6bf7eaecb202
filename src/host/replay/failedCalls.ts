import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import { isRefusal, recordedRequest } from '../../core/replay/recordedRequest.ts';
import { MAX_REPLAYS } from '../../core/replay/replayMany.ts';
import type { TimelineRow } from '../../core/timeline/timelineRow.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';
import { say } from '../say.ts';
import { endOf } from '../timeline/compareBase.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';
import type { Destination } from './destination.ts';
import { nameOfCall, type Original, type Sent } from './replayOne.ts';

const { t } = vscode.l10n;

/** A failed call with what may become of it. */
export type FailedCall =
  | { readonly kind: 'refused'; readonly original: Original; readonly reason: string }
  | { readonly kind: 'sendable'; readonly original: Original; readonly sent: Sent };

/** One that has somewhere to go; `why` says why a person is asked first. */
export interface SendableCall {
  readonly original: Original;
  readonly sent: Sent;
  readonly destination: Destination;
  readonly why: string | undefined;
}

/** The failed calls of a recording that pass its filter, the newest first; of very many, the newest alone. */
export function failedCalls(shown: Shown): readonly FailedCall[] {
  const { timeline, log } = shown.recording;
  const rows = timeline.rows(0, timeline.total).filter((row) => row.depth === 0 && isFailedCall(row));
  return rows
    .toReversed()
    .slice(0, MAX_REPLAYS)
    .flatMap((row): FailedCall[] => {
      const exchange = endOf(shown.recording, row.key);
      if (exchange === undefined) {
        return [];
      }
      const original: Original = { shown, key: row.key, exchange };
      const read = recordedRequest(exchange, log.get(Math.floor(exchange.key))?.body);
      return [
        isRefusal(read)
          ? { kind: 'refused', original, reason: say(read.code, read.args) }
          : { kind: 'sendable', original, sent: read },
      ];
    });
}

/** A row that failed of what the client asked. A replay that failed is not offered again: its original is. */
function isFailedCall({ kind, initiator, outcome, marks }: TimelineRow): boolean {
  return (
    kind === 'request' &&
    initiator === 'client' &&
    outcome !== undefined &&
    FAILURE_KINDS.has(outcome) &&
    !marks.includes('replay') &&
    !marks.includes('era_probe')
  );
}

type Item = vscode.QuickPickItem & { readonly call?: SendableCall };

/**
 * Asks which calls to replay: those that are known to be safe are chosen, the others are listed with the reason, and what
 * cannot be sent at all cannot be chosen. `undefined` when the person thought better of it.
 */
export function pickCalls(
  sendable: readonly SendableCall[],
  refused: readonly { readonly original: Original; readonly reason: string }[],
): Promise<readonly SendableCall[] | undefined> {
  const safe = sendable.filter(({ why }) => why === undefined);
  const unsafe = sendable.filter(({ why }) => why !== undefined);
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t('Replay Failed Calls');
  pick.placeholder = t('{0} of {1} are known to be safe, and chosen', safe.length, sendable.length + refused.length);
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.items = [
    ...group(t('Safe to Repeat'), safe.map(itemOf)),
    ...group(t('Not Known to Be Safe: Asks First'), unsafe.map(itemOf)),
    ...group(
      t('Cannot Be Replayed'),
      refused.map(
        ({ original, reason }): Item => ({
          label: `$(circle-slash) ${nameOfCall(original.exchange)}`,
          description: descriptionOf(original),
          detail: safeLine(reason, 300),
        }),
      ),
    ),
  ];
  const chosenAtFirst = pick.items.filter(({ call }) => call !== undefined && call.why === undefined);
  pick.selectedItems = chosenAtFirst;
  return new Promise((resolve) => {
    pick.onDidChangeSelection((selected) => {
      const possible = selected.filter(({ call }) => call !== undefined);
      if (possible.length < selected.length) {
        pick.selectedItems = possible;
      }
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.flatMap(({ call }) => call ?? []));
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

function group(label: string, items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function itemOf(call: SendableCall): Item {
  const { original, why } = call;
  return {
    label: `$(${why === undefined ? 'debug-rerun' : 'question'}) ${nameOfCall(original.exchange)}`,
    description: descriptionOf(original),
    ...(why === undefined ? {} : { detail: safeLine(why, 300) }),
    call,
  };
}

function descriptionOf({ exchange, shown }: Original): string {
  const time = new Date(exchange.startUs / 1000).toLocaleTimeString();
  const outcome = exchange.verdict?.outcome;
  return [
    safeLine(shown.nameOf(exchange.server), 100),
    ...(outcome === undefined ? [] : [outcomeNames[outcome]]),
    time,
  ].join(' · ');
}
