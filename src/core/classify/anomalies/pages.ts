import { getString } from '../json.ts';
import { type AnomalyDetector, NONE } from './scene.ts';

/** Cursors and request states are the server's own: what comes back was given before (MCP, "Pagination", MRTR). */
export const detectPages: AnomalyDetector = ({ placed, result, connection }) => {
  const { state, link } = placed;
  if (placed.as === 'begun') {
    // Without the beginning of the connection on record, it may have been given earlier.
    const isFromStart = connection.row !== undefined || connection.facts.initializeAsked;
    if (link === 'unknown-state') {
      return isFromStart ? [{ code: 'requestStateUnknown', pointer: '/params/requestState' }] : NONE;
    }
    return link === 'unknown-cursor' && isFromStart ? [{ code: 'cursorUnknown', pointer: '/params/cursor' }] : NONE;
  }
  const next = placed.as === 'settled' && result !== undefined ? getString(result, 'nextCursor') : undefined;
  return next !== undefined && next === state.cursor
    ? [{ code: 'cursorRepeated', pointer: '/result/nextCursor' }]
    : NONE;
};
