import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { FilterControl } from './filterControl.ts';
import { SavedFilters } from './savedFilters.ts';
import { type ServerFacts, TimelineModel } from './timelineModel.ts';
import { TimelinePage } from './timelinePage.ts';

// Its own bundle, loaded with the first page: activation needs none of it.

/** Pages of one recording show the same rows, and so share its filter. */
const filters = new WeakMap<Recording<ReadableLog>, FilterControl>();

/** A page on a recording, in whatever webview it is shown. `memory` keeps the filters that a person saves. */
export function createPage(
  webview: vscode.Webview,
  recording: Recording<ReadableLog>,
  servers: ServerFacts,
  clock: Clock,
  memory: vscode.Memento,
): TimelinePage {
  let filter = filters.get(recording);
  if (filter === undefined) {
    filter = new FilterControl(recording, (id) => servers.nameOf(id), clock);
    filters.set(recording, filter);
  }
  const model = new TimelineModel(recording, servers, filter, new SavedFilters(memory));
  return new TimelinePage(webview, model, clock);
}
