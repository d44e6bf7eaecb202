import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { type ServerFacts, TimelineModel } from './timelineModel.ts';
import { TimelinePage } from './timelinePage.ts';

// Its own bundle, loaded with the first page: activation needs none of it.

/** A page on a recording, in whatever webview it is shown. */
export function createPage(
  webview: vscode.Webview,
  recording: Recording<ReadableLog>,
  servers: ServerFacts,
  clock: Clock,
): TimelinePage {
  return new TimelinePage(webview, new TimelineModel(recording, servers), clock);
}
