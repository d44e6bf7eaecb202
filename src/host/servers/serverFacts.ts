import * as vscode from 'vscode';
import type { ServerId } from '../../protocol/events.ts';
import type { Recording } from '../recording.ts';
import { replayRefusal } from '../replay/replayRefusal.ts';
import type { ServerFacts } from '../timeline/timelineModel.ts';
import type { ServerService } from './serverService.ts';
import { descriptionOf } from './serversTree.ts';

const { t } = vscode.l10n;

const LANE_STATES = {
  stopped: 'down',
  stopping: 'down',
  starting: 'busy',
  running: 'up',
  failed: 'failed',
} as const;

/** What the timeline says of servers: names for ids, connections in a few words, and whether a row can be replayed. */
export function serverFacts(servers: ServerService, recording: Recording): ServerFacts {
  const view = (server: string) => servers.view(server as ServerId);
  return {
    // An id is `<source>:<name>`; a server of an earlier session may no longer be defined.
    nameOf: (server) => view(server)?.definition.name ?? server.slice(server.indexOf(':') + 1),
    describe: (server) => {
      const found = view(server);
      if (found === undefined) {
        return t('no longer defined');
      }
      const revision = found.state.kind === 'running' ? [found.state.revision] : [];
      return [...revision, found.definition.transport.type === 'stdio' ? 'stdio' : 'Streamable HTTP'].join(' · ');
    },
    definitionOf: (server) => view(server)?.definition,
    stateOf: (server) => {
      const found = view(server);
      return found === undefined ? undefined : { kind: LANE_STATES[found.state.kind], text: descriptionOf(found) };
    },
    summary: () => {
      const views = servers.views();
      const running = views.filter(({ state }) => state.kind === 'running').length;
      const failing = views.filter(({ state }) => state.kind === 'failed').length;
      return failing === 0
        ? t('{0} of {1} servers up', running, views.length)
        : t('{0} of {1} servers up, {2} failing', running, views.length, failing);
    },
    replayRefusal: (key) => {
      const row = recording.timeline.row(key);
      return replayRefusal(row === undefined ? undefined : recording.exchange(row.endKey));
    },
  };
}
