import { isObject } from '../../../protocol/json.ts';
import type { JsonRpcId } from '../../../protocol/jsonrpc.ts';
import { get, shorten } from '../json.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

/** Ids: unique in a session, given back as they were, answered once (JSON-RPC 2.0 §4 and §5; MCP, "Requests"). */
export const detectIds: AnomalyDetector = (scene) => {
  const { as, state } = scene.placed;
  switch (as) {
    case 'begun':
      return scene.passing.envelope.kind === 'request' ? ofRequest(scene) : ofNotification(scene);
    case 'settled':
      return state.marks.has('id_type_mismatch') ? typeMismatch(scene) : NONE;
    case 'after':
      return state.marks.has('duplicate') && state.end?.firmness === 'answer'
        ? [{ code: 'answeredTwice' }]
        : [{ code: 'answeredLate', args: { outcome: state.verdict?.outcome ?? '' } }];
    case 'stray':
      return ofStray(scene);
    case 'about':
      return NONE;
  }
};

function ofRequest({ placed }: Scene): readonly Found[] {
  const id = placed.state.requestId ?? '';
  if (placed.displaced !== undefined) {
    const args = { id: shorten(String(id), 60), method: placed.displaced.method };
    return [{ code: 'idStillOpen', args, pointer: '/id' }];
  }
  return placed.isIdReused === true
    ? [{ code: 'idReused', args: { id: shorten(String(id), 60) }, pointer: '/id' }]
    : NONE;
}

/** A cancellation that found no request has a row of its own. */
function ofNotification({ placed, params }: Scene): readonly Found[] {
  const id = params === undefined ? undefined : get(params, 'requestId');
  return placed.state.method === 'notifications/cancelled'
    ? [{ code: 'cancelUnknown', args: { id: shorten(String(id ?? ''), 60) }, pointer: '/params/requestId' }]
    : NONE;
}

function typeMismatch({ passing, placed }: Scene): readonly Found[] {
  const { envelope } = passing;
  const answered = 'id' in envelope ? (envelope.id ?? null) : null;
  const asked = placed.state.requestId ?? '';
  const args = {
    asked: JSON.stringify(asked).slice(0, 60),
    askedType: kindOf(asked),
    answered: JSON.stringify(answered).slice(0, 60),
    answeredType: kindOf(answered),
  };
  return [{ code: 'idTypeMismatch', args, pointer: '/id' }];
}

function kindOf(id: JsonRpcId | null): string {
  return id === null ? 'null' : typeof id;
}

function ofStray({ passing }: Scene): readonly Found[] {
  const { envelope, message } = passing;
  const isAnswer = envelope.kind === 'result' || envelope.kind === 'error';
  return isAnswer && envelope.id !== null && isObject(message)
    ? [{ code: 'unknownId', args: { id: shorten(String(envelope.id), 60) }, pointer: '/id' }]
    : NONE;
}
