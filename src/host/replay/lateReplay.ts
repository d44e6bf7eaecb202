import * as vscode from 'vscode';
import {
  editableRequest,
  holdsPlaceholder,
  isRefusal,
  type RecordedRequest,
  type Refusal,
  recordedRequest,
} from '../../core/replay/recordedRequest.ts';
import { learnTools } from '../../core/replay/replay.ts';
import type { ReplayedItem } from '../../core/replay/replayMany.ts';
import { callKey } from '../../core/resilience/loopGuard.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import { isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { runCommand } from '../manifest.ts';
import { say } from '../say.ts';
import type { Services } from '../services.ts';
import { endOf } from '../timeline/compareBase.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';
import { showUserError, userErrors } from '../userError.ts';
import { type Destination, destinationOf, openDestination, serverOf } from './destination.ts';
import { pickPolicy, type ReplayPlan } from './policyPicker.ts';
import { replayFailedCalls } from './replayFailed.ts';
import { nameOfCall, type Original, replayOne } from './replayOne.ts';

// Its own bundle, loaded with the first replay.

const { t } = vscode.l10n;

/** A row of what a person looks at. */
export interface RowAtHand {
  readonly shown: Shown;
  readonly key: number;
}

/** Replays the call behind a row, after asking how; `plan` answers that beforehand. `undefined` when nothing was sent. */
export async function replayRow(
  services: Services,
  at: RowAtHand,
  plan?: ReplayPlan,
): Promise<CallOutcome | undefined> {
  const original = await originalOf(at);
  if (original === undefined) {
    return undefined;
  }
  const read = recordedRequest(original.exchange, requestBody(original));
  if (isRefusal(read)) {
    await refuse(read, at);
    return undefined;
  }
  const destination = await destinationOf(services, at.shown, original.exchange);
  const chosen = destination === undefined ? undefined : (plan ?? (await planFor(services, original, destination)));
  return destination === undefined || chosen === undefined
    ? undefined
    : replayOne(services, original, read, destination, chosen);
}

/**
 * Lets a person change the arguments of a recorded call in a document that the tool's own schema checks, and replays it with
 * those. `undefined` when nothing was sent.
 */
export async function editRow(services: Services, at: RowAtHand): Promise<CallOutcome | undefined> {
  const original = await originalOf(at);
  if (original === undefined) {
    return undefined;
  }
  const read = editableRequest(original.exchange, requestBody(original));
  if (isRefusal(read)) {
    await refuse(read, at);
    return undefined;
  }
  const destination = await destinationOf(services, at.shown, original.exchange);
  if (destination === undefined) {
    return undefined;
  }
  const schema = await schemaFor(services, destination, read);
  const params = await edited(services, nameOfCall(original.exchange), schema, read);
  const plan = params === undefined ? undefined : await planFor(services, original, destination);
  if (params === undefined || plan === undefined) {
    return undefined;
  }
  const isEdited = callKey(read.method, read.params) !== callKey(read.method, params);
  return replayOne(services, original, { method: read.method, params, isEdited }, destination, plan);
}

/** Lets a person choose among the failed calls of what they look at, and replays those. */
export function replayFailed(services: Services): Promise<readonly ReplayedItem[] | undefined> {
  return replayFailedCalls(services);
}

async function originalOf({ shown, key }: RowAtHand): Promise<Original | undefined> {
  await shown.recording.load();
  const exchange = endOf(shown.recording, Math.abs(key));
  if (exchange === undefined) {
    await showUserError(userErrors.nothingSelected(), 'warning');
    return undefined;
  }
  return { shown, key: Math.abs(key), exchange };
}

function requestBody({ shown, exchange }: Original) {
  return shown.recording.log.get(Math.floor(exchange.key))?.body;
}

async function refuse({ code, args }: Refusal, at: RowAtHand): Promise<void> {
  const error = userErrors.notReplayable(say(code, args));
  const edit = {
    title: t('Edit and Replay…'),
    run: () => runCommand('faultline.editReplay', { row: at.key, file: at.shown.file }),
  };
  await showUserError(code === 'replay.refused.redacted' ? { ...error, remedies: [edit] } : error, 'warning');
}

function planFor(
  services: Services,
  { exchange }: Original,
  destination: Destination,
): Promise<ReplayPlan | undefined> {
  return pickPolicy({
    title: t('Replay {0} on {1}', nameOfCall(exchange), destination.name),
    canBeFresh: destination.kind === 'defined',
    memory: services.context.workspaceState,
  });
}

/** The input schema of the tool that a request calls, as the server that it goes to has it now. */
async function schemaFor(
  services: Services,
  destination: Destination,
  { method, params }: RecordedRequest,
): Promise<JsonValue | undefined> {
  const server = serverOf(destination);
  const open =
    method === 'tools/call' && destination.kind === 'defined'
      ? await openDestination(services, destination, false)
      : undefined;
  if (open === undefined) {
    return undefined;
  }
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Listing the tools of {0}', destination.name) },
    () => learnTools(open.pool, server),
  );
  return open.pool.tools(server).find(({ name }) => name === params?.['name'])?.inputSchema;
}

/** The parameters as a person left them; `undefined` when they gave up. */
async function edited(
  services: Services,
  name: string,
  schema: JsonValue | undefined,
  { method, params = {} }: RecordedRequest,
): Promise<JsonObject | undefined> {
  const { editArguments } = await import('../calls/lateCalls.ts');
  const hasArguments = method === 'tools/call' || method === 'prompts/get';
  const given = hasArguments ? params['arguments'] : params;
  let values: JsonObject = isObject(given) ? given : {};
  for (;;) {
    const sent = await editArguments(services, name, schema, values);
    if (sent === undefined) {
      return undefined;
    }
    if (!holdsPlaceholder(sent)) {
      return hasArguments ? { ...params, arguments: sent } : sent;
    }
    // The server would take the placeholder for the secret.
    await showUserError(userErrors.badArguments(t('replace what stands in the place of secrets first')), 'warning');
    values = sent;
  }
}
