import type { Confidence, Finding } from '../protocol/finding.ts';
import type { FileSettings } from './config/config.ts';
import { noFacts } from './facts.ts';
import type { Program } from './flow/program.ts';
import type { FrontEnd } from './languages/frontEnd.ts';
import type { HandlerModel } from './model.ts';
import type { Pacer } from './pacer.ts';
import { rules } from './rules/all.ts';
import type { Report, RuleMeta } from './rules/rule.ts';
import { unusedSuppression } from './rules/unusedSuppression.ts';
import { Suppressions } from './suppressions.ts';
import type { SourceText } from './syntax.ts';

const LEVELS: Readonly<Record<Confidence, number>> = { low: 1, medium: 2, high: 3 };

/**
 * What the rules say of a file, less what settings and comments switch off, in order of lines; undefined when it is no longer
 * wanted. Pauses between rules and findings: over a large file they take longer than a cancel may wait.
 */
export async function findingsOf(
  model: HandlerModel,
  program: Program,
  source: SourceText,
  frontEnd: FrontEnd,
  settings: FileSettings,
  pacer: Pacer,
): Promise<readonly Finding[] | undefined> {
  const suppressions = new Suppressions(source);
  const fixes = frontEnd.fixes(program, source);
  const facts = frontEnd.facts ?? noFacts;
  const findings: Finding[] = [];
  const checked = new Set<string>();
  const add = (meta: RuleMeta, report: Report) => {
    const severity = settings.severities.get(meta.code) ?? meta.severity;
    // A comment is of use also against what the confidence limit hides today.
    const isSuppressed = suppressions.covers(meta.code, report.range.startLine);
    if (severity !== 'off' && !isSuppressed && LEVELS[report.confidence] >= LEVELS[settings.confidence]) {
      const { span: _, fixes: makeFixes, ...rest } = report;
      findings.push({ rule: meta.code, name: meta.name, severity, ...rest, fixes: makeFixes() });
    }
  };
  for (const rule of rules) {
    if (settings.severities.get(rule.meta.code) !== 'off') {
      checked.add(rule.meta.code);
      for (const report of rule.check({ model, source, fixes, facts })) {
        if (pacer.isDue && !(await pacer.goOn())) {
          return undefined;
        }
        add(rule.meta, report);
      }
      if (pacer.isDue && !(await pacer.goOn())) {
        return undefined;
      }
    }
  }
  for (const report of unusedSuppression.check(suppressions.unused(checked), source)) {
    add(unusedSuppression.meta, report);
  }
  return findings.sort(
    (a, b) =>
      a.range.startLine - b.range.startLine ||
      a.range.startColumn - b.range.startColumn ||
      a.rule.localeCompare(b.rule),
  );
}
