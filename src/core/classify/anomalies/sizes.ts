import { type AnomalyDetector, NONE } from './scene.ts';

/** Some 25,000 tokens, at which clients begin to warn or to cut. */
const LARGE_BYTES = 100_000;
const HUGE_BYTES = 1_000_000;
const BYTES_A_TOKEN = 4;
/** Answers that a model reads. */
const READ_BY_MODEL: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get', 'tools/list']);

/** An answer that fills the context of the model. Images and audio are not read as text and do not count. */
export const detectSize: AnomalyDetector = (scene) => {
  const { passing, placed, result } = scene;
  if (placed.as !== 'settled' || result === undefined || !READ_BY_MODEL.has(placed.state.method)) {
    return NONE;
  }
  if (passing.bytes < LARGE_BYTES) {
    return NONE;
  }
  const binary = scene
    .texts()
    .filter(({ pointer }) => /\/(?:data|blob)$/.test(pointer))
    .reduce((sum, { text }) => sum + text.length, 0);
  const bytes = passing.bytes - binary;
  if (bytes < LARGE_BYTES) {
    return NONE;
  }
  const args = { kilobytes: Math.round(bytes / 1000), tokens: Math.round(bytes / BYTES_A_TOKEN) };
  return [{ code: bytes < HUGE_BYTES ? 'oversizedResult' : 'hugeResult', args, pointer: '/result' }];
};
