import { errorCodeEntry } from '../../../protocol/errorCodes.ts';
import { isModern } from '../../../protocol/revisions.ts';
import { get } from '../json.ts';
import { type AnomalyDetector, NONE } from './scene.ts';

const POINTER = '/error/code';

/** Numbers of errors: who may use which, in which revision (2026-07-28, "Error Codes"; JSON-RPC 2.0 §5.1). */
export const detectCode: AnomalyDetector = ({ error, sender, revision }) => {
  const code = error === undefined ? undefined : get(error, 'code');
  if (typeof code !== 'number') {
    return NONE;
  }
  if (!Number.isInteger(code)) {
    return [{ code: 'codeNotInteger', args: { code }, pointer: POINTER }];
  }
  const entry = errorCodeEntry(code);
  if (entry?.from !== undefined) {
    if (entry.sender !== 'either' && entry.sender !== sender) {
      const args = { code, name: entry.name, sender, owner: entry.sender };
      return [{ code: code === -1 ? 'codeLeaked' : 'codeWrongSender', args, pointer: POINTER }];
    }
    const isIn = revision === undefined || (revision >= entry.from && revision <= (entry.until ?? '9'));
    const range = entry.until === undefined ? `from ${entry.from}` : `from ${entry.from} to ${entry.until}`;
    const args = { code, name: entry.name, revision: revision ?? '', range, instead: entry.instead ?? '' };
    return isIn ? NONE : [{ code: 'codeNotInRevision', args, pointer: POINTER }];
  }
  if (code >= -32768 && code < -32099) {
    return [{ code: 'reservedCode', args: { code }, pointer: POINTER }];
  }
  if (code >= -32099 && code <= -32000) {
    // Older revisions leave all of JSON-RPC's server range to the implementation; 2026-07-28 keeps a part of it.
    const isReserved = code <= -32020 && isModern(revision);
    return [{ code: isReserved ? 'reservedCode' : 'codeWithoutMeaning', args: { code }, pointer: POINTER }];
  }
  // Defaults, HTTP statuses and system errors of the server's own inside; real codes of applications are longer.
  return code > -1000 && code < 1000 ? [{ code: 'codeLeaked', args: { code }, pointer: POINTER }] : NONE;
};
