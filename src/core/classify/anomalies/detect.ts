import type { Anomaly } from '../../../protocol/anomaly.ts';
import { anomalyOf } from './anomalyOf.ts';
import { detectBatch } from './batches.ts';
import { detectCapability } from './capabilities.ts';
import { detectCode } from './codes.ts';
import { detectDeprecation } from './deprecations.ts';
import { detectDirection } from './direction.ts';
import { detectEncoding } from './encoding.ts';
import { detectHandshake } from './handshake.ts';
import { detectHiddenText } from './hiddenText.ts';
import { detectIds } from './ids.ts';
import { detectInstructions } from './instructions.ts';
import { detectModernMembers } from './modernMembers.ts';
import { detectPages } from './pages.ts';
import { detectProgress } from './progress.ts';
import type { AnomalyDetector, Scene } from './scene.ts';
import { detectSize } from './sizes.ts';
import { detectSlow } from './timing.ts';
import { detectToolCall } from './toolCalls.ts';
import { detectToolList } from './toolLists.ts';
import { detectTrace } from './traces.ts';

/** In the order in which a person would ask: can it be read, may it be sent, who is it for, what does it say. */
const DETECTORS: readonly AnomalyDetector[] = [
  detectEncoding,
  detectBatch,
  detectHandshake,
  detectDirection,
  detectModernMembers,
  detectCapability,
  detectIds,
  detectProgress,
  detectPages,
  detectCode,
  detectDeprecation,
  detectToolList,
  detectToolCall,
  detectSlow,
  detectSize,
  detectTrace,
  detectInstructions,
  detectHiddenText,
];

/** Everything unusual about one message. Runs every detector, since some remember what they see. */
export function anomaliesOf(scene: Scene): readonly Anomaly[] {
  const { event, batchIndex } = scene.passing;
  const found: Anomaly[] = [];
  for (const detect of DETECTORS) {
    for (const { code, args, pointer } of detect(scene)) {
      const place = pointer === undefined || batchIndex === undefined ? pointer : `/${batchIndex}${pointer}`;
      found.push(anomalyOf(code, event.seq, args, place));
    }
  }
  return found;
}
