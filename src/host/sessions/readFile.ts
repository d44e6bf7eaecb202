import { createReadStream } from 'node:fs';
import * as vscode from 'vscode';
import type { SessionHeader } from '../../core/export/sessionFile.ts';
import { readSession, type SessionProblem } from '../../core/export/sessionReader.ts';
import type { EventBody, LogEvent } from '../../protocol/events.ts';

/** Characters of events that are held at once; of a larger session the beginning is shown. */
const MAX_PAYLOAD = 512 * 1024 * 1024;
/** What an event takes beside its text, as much as a character does, so that a file of empty ones has an end too. */
const EVENT_PAYLOAD = 500;
/** Problems that are held; a file of nothing else is read no further. */
const MAX_PROBLEMS = 10_000;

/** What a session file holds, and what is wrong with it. */
export interface SessionContents {
  readonly header: SessionHeader | undefined;
  readonly events: readonly LogEvent[];
  readonly problems: readonly SessionProblem[];
  /** Why nothing is shown. */
  readonly fatal: SessionProblem | undefined;
}

/** Reads a session file of any file system into memory. Never rejects. */
export async function readSessionFile(
  uri: vscode.Uri,
  token: vscode.CancellationToken,
  maxPayload = MAX_PAYLOAD,
): Promise<SessionContents> {
  const events: LogEvent[] = [];
  const problems: SessionProblem[] = [];
  let header: SessionHeader | undefined;
  let payload = 0;
  for await (const item of readSession(chunksOf(uri))) {
    if (token.isCancellationRequested) {
      break;
    }
    switch (item.kind) {
      case 'header':
        header = item.header;
        break;
      case 'event': {
        const { body } = item.event;
        payload += EVENT_PAYLOAD + textLength(body);
        events.push(item.event);
        break;
      }
      case 'problem':
        problems.push(item.problem);
        break;
      case 'end':
        break;
    }
    if (problems.length >= MAX_PROBLEMS) {
      break;
    }
    if (payload > maxPayload) {
      problems.push({ code: 'session.too-large', args: { events: events.length }, isFatal: false });
      break;
    }
  }
  return { header, events, problems, fatal: problems.find(({ isFatal }) => isFatal) };
}

function textLength(body: EventBody): number {
  switch (body.kind) {
    case 'message':
    case 'noise':
      return body.raw.length;
    case 'stderr':
      return body.line.length;
    case 'http':
      return body.body?.length ?? 0;
    default:
      return 0;
  }
}

async function* chunksOf(uri: vscode.Uri): AsyncGenerator<Uint8Array, void, undefined> {
  if (uri.scheme === 'file') {
    yield* createReadStream(uri.fsPath);
  } else {
    yield await vscode.workspace.fs.readFile(uri);
  }
}
