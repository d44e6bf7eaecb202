import { readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../base/messageOf.ts';
import { formatText } from '../base/text.ts';
import type { FaultPlan } from '../core/passthrough/faults/plan.ts';
import { FAULT_PROFILES, isFaultProfile } from '../core/passthrough/faults/profiles.ts';
import { faultTexts } from '../protocol/texts/faults.ts';

/**
 * The faults that `--faults` names: a profile, else a file. What cannot be read is a problem in words, each with its place,
 * and never no faults. Rejects nothing.
 */
export async function readFaultsOption(
  name: string,
  cwd: string,
): Promise<{ readonly plan: FaultPlan } | { readonly problem: string }> {
  if (isFaultProfile(name)) {
    return { plan: FAULT_PROFILES[name] };
  }
  let text: string;
  try {
    text = readFileSync(path.resolve(cwd, name), 'utf8');
  } catch (error) {
    const detail = messageOf(error);
    const profiles = Object.keys(FAULT_PROFILES).join(', ');
    return { problem: `${formatText(faultTexts['fault.file.unreadable'], { detail })}; the profiles are ${profiles}` };
  }
  const { parseFaults } = await import('../core/passthrough/faults/parseFaults.ts');
  const reading = parseFaults(text);
  if ('plan' in reading) {
    return reading;
  }
  const texts: Readonly<Record<string, string>> = faultTexts;
  return {
    problem: reading.problems
      .map(({ code, args, line, column }) => `${name}:${line}:${column}: ${formatText(texts[code] ?? code, args)}`)
      .join('\n'),
  };
}
