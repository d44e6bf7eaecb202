import { isArray, isObject } from '../../../protocol/json.ts';
import { get, getString, shorten } from '../json.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

/** Calls of tools that nobody has listed, and answers that leave the model without words. */
export const detectToolCall: AnomalyDetector = (scene) => {
  const { placed, passing } = scene;
  if (placed.state.method !== 'tools/call') {
    return NONE;
  }
  if (passing.envelope.kind === 'request') {
    return ofCall(scene);
  }
  return placed.as === 'settled' ? ofResult(scene) : NONE;
};

function ofCall({ placed, connection }: Scene): readonly Found[] {
  const tool = placed.state.target;
  return tool !== undefined && connection.facts.hasListing && connection.tools.get(tool) === undefined
    ? [{ code: 'toolNotListed', args: { tool: shorten(tool, 80) }, pointer: '/params/name' }]
    : NONE;
}

function ofResult({ result, placed }: Scene): readonly Found[] {
  if (result === undefined) {
    return NONE;
  }
  const content = get(result, 'content');
  const blocks = isArray(content) ? content : [];
  const hasText = blocks.some((block) => isObject(block) && (getString(block, 'text') ?? '').trim() !== '');
  const hasStructured = isObject(get(result, 'structuredContent'));
  if (get(result, 'isError') === true) {
    return hasText || hasStructured || blocks.some((block) => isObject(block) && get(block, 'type') !== 'text')
      ? NONE
      : [{ code: 'emptyToolError', pointer: '/result/content' }];
  }
  const isWordless = hasStructured && blocks.length === 0 && placed.state.verdict?.outcome === 'success';
  return isWordless ? [{ code: 'structuredWithoutText', pointer: '/result/structuredContent' }] : NONE;
}
