import { englishVoice } from '../report/englishVoice.ts';
import type { ReportVoice } from '../report/reportWords.ts';
import { filterTerm } from '../timeline/filter/quote.ts';

/** How a report is told to an agent: it is led to the failures of a tool by another question. */
export function agentVoice(nameOf: ReportVoice['nameOf']): ReportVoice {
  return {
    ...englishVoice(nameOf),
    showCommand: (_, tool) => `recent_failures ${JSON.stringify({ filter: filterTerm('tool', [tool]) })}`,
  };
}
