import type { AnomalyCode } from '../../../protocol/anomaly.ts';
import type { NoiseBody } from '../../../protocol/events.ts';
import { shorten } from '../json.ts';
import type { Found } from './scene.ts';

const CODES: Readonly<Record<NoiseBody['problem'], AnomalyCode>> = {
  'not-json': 'stdoutNoise',
  'not-jsonrpc': 'stdoutNoise',
  'lsp-framing': 'lspFraming',
  'frame-too-large': 'frameTooLarge',
  unterminated: 'unterminatedFrame',
};

/** Bytes in the place of a message. What an HTTP answer brings instead of JSON is told by its status. */
export function detectNoise({ stream, problem, raw }: NoiseBody): readonly Found[] {
  const code = CODES[problem];
  return code === 'stdoutNoise' && stream !== 'stdout' ? [] : [{ code, args: { text: shorten(raw.slice(0, 400)) } }];
}
