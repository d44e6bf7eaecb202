import type { TextArgs } from '../../../base/text.ts';
import { ANOMALY_KINDS, type Anomaly, type AnomalyCode } from '../../../protocol/anomaly.ts';

/** The anomaly `code` with what its table says of it. */
export function anomalyOf(code: AnomalyCode, seq: number, args: TextArgs = {}, pointer?: string): Anomaly {
  const { severity, group } = ANOMALY_KINDS[code];
  return { code, severity, group, args, ...(pointer === undefined ? {} : { pointer }), seq };
}
