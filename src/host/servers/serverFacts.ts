import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import type { ServerId } from '../../protocol/events.ts';
import { nameInId } from '../../protocol/serverId.ts';
import type { Recording } from '../recording.ts';
import { replayRefusal } from '../replay/replayRefusal.ts';
import type { TappedServers } from '../taps/tappedServers.ts';
import type { ServerFacts } from '../timeline/timelineModel.ts';
import type { ServerService } from './serverService.ts';
import { descriptionOf } from './serversTree.ts';

const { t } = vscode.l10n;

/** What clients say of themselves is cut wherever it is shown. */
const MAX_CLIENT = 60;

const LANE_STATES = {
  stopped: 'down',
  stopping: 'down',
  starting: 'busy',
  running: 'up',
  failed: 'failed',
} as const;

/** What the timeline says of servers: names for ids, connections in a few words, and whether a row can be replayed. */
export function serverFacts(servers: ServerService, recording: Recording, seen: TappedServers): ServerFacts {
  const view = (server: string) => servers.view(server as ServerId);
  const clientsOf = (server: string) => seen.clientsOf(server).map((client) => safeLine(client, MAX_CLIENT));
  return {
    // An id is `<source>:<name>`; a server of an earlier session may no longer be defined.
    nameOf: (server) => view(server)?.definition.name ?? nameInId(server),
    describe: (server) => {
      const found = view(server);
      if (found === undefined) {
        const clients = clientsOf(server);
        return clients.length > 0 ? t('tapped · {0}', clients.join(', ')) : t('no longer defined');
      }
      const revision = found.state.kind === 'running' ? [found.state.revision] : [];
      return [...revision, found.definition.transport.type === 'stdio' ? 'stdio' : 'Streamable HTTP'].join(' · ');
    },
    clientOf: (connection) => {
      const client = seen.clientOf(connection);
      return client === undefined ? undefined : safeLine(client, MAX_CLIENT);
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
