import { isObject } from '../../../protocol/json.ts';
import { get, shorten } from '../json.ts';
import { tokenOf } from '../messageShape.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

const WAITING: ReadonlySet<string> = new Set(['task_pending', 'input_required']);

/** Progress: of a known token, increasing, until the end and no longer (MCP, "Progress"). */
export const detectProgress: AnomalyDetector = (scene) => {
  const { placed, method } = scene;
  if (scene.passing.envelope.kind === 'request') {
    return reusedToken(scene);
  }
  if (method !== 'notifications/progress') {
    return NONE;
  }
  return placed.as === 'about' ? ofRequest(scene) : unknownToken(scene);
};

function reusedToken({ placed, params }: Scene): readonly Found[] {
  const { tokenHolder, state } = placed;
  if (tokenHolder === undefined || tokenHolder.end !== undefined || tokenHolder === state) {
    return NONE;
  }
  const meta = params === undefined ? undefined : get(params, '_meta');
  const token = tokenOf(isObject(meta) ? meta : undefined);
  return [
    {
      code: 'progressTokenReused',
      args: { token: shorten(token ?? '', 60), method: tokenHolder.method },
      pointer: '/params/_meta/progressToken',
    },
  ];
}

function unknownToken({ params }: Scene): readonly Found[] {
  const token = tokenOf(params) ?? '';
  return [{ code: 'progressUnknownToken', args: { token: shorten(token, 60) }, pointer: '/params/progressToken' }];
}

function ofRequest({ placed, params }: Scene): readonly Found[] {
  const { state } = placed;
  const now = params === undefined ? undefined : get(params, 'progress');
  const total = params === undefined ? undefined : get(params, 'total');
  const found: Found[] = [];
  // The token of a task goes on after its handle was given (2025-11-25, "Task Progress").
  const isOfTask = state.verdict !== undefined && WAITING.has(state.verdict.outcome);
  if (placed.hadEnded === true && !isOfTask) {
    found.push(
      state.end?.firmness === 'answer'
        ? { code: 'progressAfterEnd' }
        : { code: 'progressAfterCancel', args: { outcome: state.verdict?.outcome ?? '' } },
    );
  }
  if (typeof now !== 'number') {
    return found;
  }
  const before = state.progress;
  if (before !== undefined && now <= before) {
    found.push({ code: 'progressNotIncreasing', args: { before, now }, pointer: '/params/progress' });
  }
  if (typeof total === 'number' && now > total) {
    found.push({ code: 'progressOverTotal', args: { now, total }, pointer: '/params/progress' });
  }
  state.progress = before === undefined ? now : Math.max(before, now);
  return found;
}
