import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import type { ServerPool } from '../../core/client/pool.ts';
import { holdsPlaceholder, recordedUrl } from '../../core/replay/recordedRequest.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { descriptionOf } from '../servers/serversTree.ts';
import type { Services } from '../services.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';
import { showUserError, userErrors } from '../userError.ts';

const { t } = vscode.l10n;

const MAX_LENGTH = 300;

/** The server that a replay goes to. */
export type Destination =
  | { readonly kind: 'defined'; readonly id: ServerId; readonly name: string }
  /** Of nobody's configuration: the address that was recorded, to which a person has agreed. */
  | { readonly kind: 'recorded'; readonly definition: ServerDefinition; readonly name: string };

/** A pool that reaches a destination, and what to do when it is done with. */
export interface OpenDestination {
  readonly pool: ServerPool;
  release(): Promise<void>;
}

/** Where recorded calls of a server that is not defined here went last, in this window. */
const chosenBefore = new Map<ServerId, ServerId>();

/**
 * The server to send a recorded request to: the one that it was recorded of, where that is defined in this window; else one
 * that a person chooses, or the recorded address after they agreed to it. `undefined` when there is none.
 */
export async function destinationOf(
  { servers }: Services,
  { recording, nameOf, file }: Shown,
  exchange: Exchange,
): Promise<Destination | undefined> {
  if (!vscode.workspace.isTrusted) {
    await showUserError(userErrors.untrusted(), 'warning');
    return undefined;
  }
  await servers.loaded;
  const own = file === '' ? servers.view(exchange.server) : undefined;
  if (own !== undefined) {
    return { kind: 'defined', id: exchange.server, name: own.definition.name };
  }
  const recordedName = nameOf(exchange.server);
  const url = recordedUrl(exchange, (seq) => recording.log.get(seq)?.body);
  return pickDestination(servers, exchange.server, recordedName, usableUrl(url));
}

/** Opens a pool that reaches a destination; `undefined` when a person did not agree to the start. */
export async function openDestination(
  { servers }: Services,
  destination: Destination,
  isFresh: boolean,
): Promise<OpenDestination | undefined> {
  if (destination.kind === 'defined' && !(await servers.allows([destination.id]))) {
    return undefined;
  }
  if (destination.kind === 'defined' && !isFresh) {
    return { pool: await servers.openPool(), release: async () => undefined };
  }
  const pool = await servers.openFresh(destination.kind === 'defined' ? destination.id : destination.definition);
  return pool === undefined ? undefined : { pool, release: () => pool.dispose() };
}

/** The id under which a destination's calls are made and recorded. */
export function serverOf(destination: Destination): ServerId {
  return destination.kind === 'defined' ? destination.id : destination.definition.id;
}

type Item = vscode.QuickPickItem & { readonly to?: ServerId; readonly url?: string };

async function pickDestination(
  servers: Services['servers'],
  recorded: ServerId,
  recordedName: string,
  url: string | undefined,
): Promise<Destination | undefined> {
  const before = chosenBefore.get(recorded);
  const rank = (id: ServerId, name: string) => (id === before ? 0 : name === recordedName ? 1 : 2);
  const views = servers
    .views()
    .toSorted((a, b) => rank(a.definition.id, a.definition.name) - rank(b.definition.id, b.definition.name));
  const items: readonly Item[] = [
    ...views.map((view) => ({
      label: `$(server) ${safeLine(view.definition.name, MAX_LENGTH)}`,
      description: [descriptionOf(view), ...(view.definition.id === before ? [t('last used')] : [])].join(' · '),
      to: view.definition.id,
    })),
    ...(url === undefined
      ? []
      : [{ label: `$(globe) ${safeLine(url, MAX_LENGTH)}`, description: t('the recorded address'), url }]),
  ];
  if (items.length === 0) {
    await showUserError(userErrors.noServers(), 'warning');
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Replay onto Which Server?'),
    placeHolder: t('The recorded server "{0}" is not one of this window', safeLine(recordedName, MAX_LENGTH)),
    ignoreFocusOut: true,
  });
  if (chosen?.url !== undefined) {
    return (await agreesTo(chosen.url)) ? recordedDestination(recorded, recordedName, chosen.url) : undefined;
  }
  if (chosen?.to === undefined) {
    return undefined;
  }
  chosenBefore.set(recorded, chosen.to);
  return { kind: 'defined', id: chosen.to, name: servers.view(chosen.to)?.definition.name ?? recordedName };
}

async function agreesTo(url: string): Promise<boolean> {
  const proceed = t('Contact');
  const answer = await vscode.window.showWarningMessage(
    t('Send to the recorded address?'),
    {
      modal: true,
      detail: [
        safeLine(url, MAX_LENGTH),
        t(
          'It comes from the recording, not from your configuration. Headers that signed the client in were not recorded and are not sent.',
        ),
      ].join('\n\n'),
    },
    proceed,
  );
  return answer === proceed;
}

function recordedDestination(id: ServerId, name: string, url: string): Destination {
  return {
    kind: 'recorded',
    name,
    definition: {
      id,
      name,
      source: { kind: 'command-line' },
      transport: { type: 'http', url, headers: {} },
      isTrusted: false,
    },
  };
}

/** An address that can be contacted as it was recorded: of HTTP, and with nothing secret left out of it. */
function usableUrl(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) && !holdsPlaceholder(decoded(url))
    ? url
    : undefined;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
