import { formatText } from '../../base/text.ts';
import { TEXTS } from '../../protocol/texts.ts';
import type { ReportVoice } from './reportWords.ts';

/** English, times of Greenwich: the same report reads alike on every machine. */
export function englishVoice(nameOf: ReportVoice['nameOf']): ReportVoice {
  return {
    language: 'en',
    say: (code, args) => formatText(TEXTS[code] ?? code, args),
    nameOf,
    time: (us) => `${new Date(us / 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}
