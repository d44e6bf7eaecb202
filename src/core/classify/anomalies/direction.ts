import { methodEntry } from '../../../protocol/methods.ts';
import { isModern, REVISIONS } from '../../../protocol/revisions.ts';
import { type AnomalyDetector, NONE } from './scene.ts';

/** Who may send what, by the revision that is spoken. */
export const detectDirection: AnomalyDetector = ({ passing, placed, sender, revision, method, connection }) => {
  const { envelope } = passing;
  if (method === undefined) {
    // Over stdio and HTTP alike, the client of a stateless revision only asks.
    const isClientAnswer = sender === 'client' && (envelope.kind === 'result' || envelope.kind === 'error');
    return isClientAnswer && isModern(connection.revision)
      ? [{ code: 'clientAnswerOnModern', args: { revision: connection.revision ?? '' } }]
      : NONE;
  }
  if (envelope.kind === 'request' && sender === 'server' && isModern(revision)) {
    return [{ code: 'serverRequestOnModern', args: { method, revision: revision ?? '' }, pointer: '/method' }];
  }
  const entry = methodEntry(method);
  if (entry === undefined) {
    return NONE;
  }
  if (entry.sender !== 'either' && entry.sender !== sender) {
    return [{ code: 'wrongDirection', args: { method, sender }, pointer: '/method' }];
  }
  const isKnown = REVISIONS.some((known) => known === revision);
  const isIn = !isKnown || revision === undefined || (revision >= entry.from && revision <= (entry.until ?? '9'));
  // A probe for a newer revision names that revision itself and is judged by it.
  return isIn || placed.as === 'after'
    ? NONE
    : [
        {
          code: 'notInRevision',
          args: { method, revision, range: entry.until === undefined ? `from ${entry.from}` : `up to ${entry.until}` },
          pointer: '/method',
        },
      ];
};
