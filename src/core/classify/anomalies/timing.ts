import { type AnomalyDetector, NONE } from './scene.ts';

/** Slow by any measure, and by that of the tool itself. */
const TIMES = 5;
const MORE_US = 1_000_000;
/** What took how long is comparable only where the work was done. */
const DONE: ReadonlySet<string> = new Set(['success', 'partial', 'silent_error']);

/** An answer that took much longer than the same tool takes as a rule. The duration is remembered either way. */
export const detectSlow: AnomalyDetector = ({ placed, memory, sender }) => {
  const { state } = placed;
  if (placed.as !== 'settled' || sender !== 'server' || state.end === undefined || state.verdict === undefined) {
    return NONE;
  }
  if (!DONE.has(state.verdict.outcome) || state.marks.has('replay')) {
    return NONE;
  }
  const durationUs = Math.max(0, state.end.us - state.startUs);
  const tool = memory.of(state.method, state.target);
  const medianUs = durationUs > MORE_US ? tool.medianUs() : undefined;
  tool.took(durationUs);
  if (medianUs === undefined || durationUs < medianUs * TIMES || durationUs < medianUs + MORE_US) {
    return NONE;
  }
  const args = {
    durationMs: Math.round(durationUs / 1000),
    medianMs: Math.round(medianUs / 1000),
    tool: state.target ?? state.method,
  };
  return [{ code: 'slow', args }];
};
