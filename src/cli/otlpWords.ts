import { formatText } from '../base/text.ts';
import type { OtlpStatus } from '../core/export/otlp/exporter.ts';
import type { SettingsProblem } from '../core/export/otlp/settings.ts';
import { otlpTexts } from '../protocol/texts/otlp.ts';

const TEXTS: Readonly<Record<string, string>> = otlpTexts;

/** What is wrong with the settings of an export. */
export function otlpSentence({ code, args }: SettingsProblem): string {
  return formatText(TEXTS[code] ?? code, args);
}

/** What never arrived, a sentence for each reason. */
export function lostSentences(dropped: OtlpStatus['dropped']): readonly string[] {
  return Object.entries(dropped).map(([reason, count]) =>
    otlpSentence({ code: `otlp.lost.${reason}`, args: { count: String(count) } }),
  );
}
