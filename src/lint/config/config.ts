import type { Confidence, Severity } from '../../protocol/finding.ts';
import type { Globs } from './glob.ts';

export type RuleSetting = Severity | 'off';

/** A checked `faultline.config.json`. */
export interface LintConfig {
  /** The folder that its globs start from: an absolute path with forward slashes, without one at its end. */
  readonly root: string;
  readonly rules: ReadonlyMap<string, RuleSetting>;
  /** The least sure findings that are wanted; undefined leaves that to the caller. */
  readonly confidence: Confidence | undefined;
  /** Empty: every file. */
  readonly include: Globs;
  readonly exclude: Globs;
  /** For files of some paths only; later ones win. */
  readonly overrides: readonly ConfigOverride[];
}

export interface ConfigOverride {
  readonly files: Globs;
  readonly rules: ReadonlyMap<string, RuleSetting>;
  readonly confidence: Confidence | undefined;
}

/** What holds for one file. */
export interface FileSettings {
  readonly severities: ReadonlyMap<string, RuleSetting>;
  readonly confidence: Confidence;
}

const NOTHING: ReadonlyMap<string, RuleSetting> = new Map();

/** The settings of a file; `confidence` counts where the configuration says nothing. Paths may have either slash. */
export function settingsFor(
  config: LintConfig | undefined,
  path: string,
  confidence: Confidence,
): FileSettings | 'excluded' {
  if (config === undefined) {
    return { severities: NOTHING, confidence };
  }
  const relative = relativeTo(config.root, path);
  if (relative === undefined) {
    return { severities: config.rules, confidence: config.confidence ?? confidence };
  }
  if (!isWanted(config, relative)) {
    return 'excluded';
  }
  const overrides = config.overrides.filter(({ files }) => files.matches(relative));
  return {
    severities: new Map([config.rules, ...overrides.map(({ rules }) => rules)].flatMap((rules) => [...rules])),
    confidence:
      overrides.findLast((override) => override.confidence !== undefined)?.confidence ??
      config.confidence ??
      confidence,
  };
}

function isWanted({ include, exclude }: LintConfig, relative: string): boolean {
  return (include.isEmpty || include.matches(relative)) && !exclude.matches(relative);
}

/** `path` from `root`; undefined when it is not inside. */
function relativeTo(root: string, path: string): string | undefined {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : undefined;
}
