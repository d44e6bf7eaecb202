import { type AnomalyDetector, NONE } from './scene.ts';

/** Batches came with 2025-03-26 and went with 2025-06-18; 2024-11-05 does not speak of them. */
const ALLOWED: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26']);

/** A batch where the revision has none, told once for the batch. */
export const detectBatch: AnomalyDetector = ({ passing, connection, method }) => {
  if (passing.batchIndex === undefined) {
    return NONE;
  }
  if (method === 'initialize') {
    return [{ code: 'initializeInBatch' }];
  }
  const { revision } = connection;
  return passing.batchIndex === 0 && revision !== undefined && !ALLOWED.has(revision)
    ? [{ code: 'batchNotAllowed', args: { revision } }]
    : NONE;
};
