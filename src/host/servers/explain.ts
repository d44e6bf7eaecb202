import * as vscode from 'vscode';
import { formatText, type TextArgs } from '../../base/text.ts';
import type { CrashLoop } from '../../core/client/diagnosis/crashSupervisor.ts';
import { diagnose } from '../../core/client/diagnosis/diagnose.ts';
import { startFacts } from '../../core/client/diagnosis/startFacts.ts';
import type { ConnectionFailure } from '../../core/client/failure.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ConnectionId, LogEvent, TransportFailure } from '../../protocol/events.ts';
import { startTexts } from '../../protocol/texts/start.ts';
import { say } from '../say.ts';

/** Why a server is not there, in the user's language. */
export interface Explanation {
  readonly code: string;
  readonly sentence: string;
  readonly remedy: string;
  /** It crashed too often and is not started again by itself. */
  readonly isLoop: boolean;
}

/** Reads the recorded events of one connection, oldest first. */
export type EventReader = (connection: ConnectionId) => Iterable<Pick<LogEvent, 'body'>>;

/** Names the cause of a failure by what was recorded of its connection, and what to do about it. */
export function explain(
  failure: ConnectionFailure | TransportFailure,
  events: Iterable<Pick<LogEvent, 'body'>>,
  transport?: ServerDefinition['transport'],
): Explanation {
  const { code, remedy, args } = diagnose(startFacts(failure, events, transport));
  return { code, sentence: sentence(code, args), remedy: sentence(remedy, args), isLoop: false };
}

/** The verdict on a server that goes on crashing, with the cause of its last crash. */
export function explainLoop({ crashes, withinMs }: CrashLoop, cause: Explanation): Explanation {
  const args = { crashes, minutes: Math.round(withinMs / 60_000) };
  return {
    code: cause.code,
    sentence: `${sentence('start.crashLoop', args)} ${cause.sentence}`,
    remedy: `${cause.remedy} ${sentence('start.crashLoop.remedy', args)}`,
    isLoop: true,
  };
}

/** A sentence of a diagnosis; `say` knows all others. */
export function sentence(code: string, args: TextArgs): string {
  const template = startTexts[code];
  return template === undefined ? say(code, args) : formatText(vscode.l10n.t(template), args);
}
