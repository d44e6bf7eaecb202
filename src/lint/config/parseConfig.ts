import { pointerStep } from '../../base/jsonPointer.ts';
import type { TextArgs } from '../../base/text.ts';
import type { Confidence } from '../../protocol/finding.ts';
import { rules } from '../rules/all.ts';
import { unusedSuppression } from '../rules/unusedSuppression.ts';
import type { ConfigOverride, LintConfig, RuleSetting } from './config.ts';
import { type Globs, globsOf, isGlob } from './glob.ts';

/** What is wrong with a configuration, and where. */
export interface ConfigProblem {
  /** JSON pointer (RFC 6901) to the value; empty for the whole. */
  readonly pointer: string;
  /** Names a sentence in `protocol/texts.ts`. */
  readonly message: string;
  readonly args: TextArgs;
}

export interface ParsedConfig {
  /** What could be read; a wrong part is left out, and the rest counts. */
  readonly config: LintConfig;
  readonly problems: readonly ConfigProblem[];
}

const SETTINGS: readonly RuleSetting[] = ['off', 'hint', 'info', 'warning', 'error'];
const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];
const MAX_LIST = 200;

/** Rules by code and by name: `FL001`, `returned-error`. */
const CODES: ReadonlyMap<string, string> = new Map(
  [...rules, unusedSuppression].flatMap(({ meta: { code, name } }) => [
    [code, code],
    [name, code],
  ]),
);

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Checks the parsed JSON of a `faultline.config.json`. Never throws. `root`: the folder that the file is in. Reading the
 * file, and comments in it, are the caller's.
 */
export function parseConfig(value: unknown, root: string): ParsedConfig {
  const reader = new Reader();
  const object = reader.object(value, '');
  reader.keys(object, ['$schema', 'rules', 'confidence', 'include', 'exclude', 'overrides'], '');
  const config: LintConfig = {
    root: root.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, ''),
    rules: reader.rules(object['rules'], '/rules'),
    confidence: reader.confidence(object['confidence'], '/confidence'),
    include: reader.globs(object['include'], '/include'),
    exclude: reader.globs(object['exclude'], '/exclude'),
    overrides: reader.list(object['overrides'], '/overrides').map((entry, index) => reader.override(entry, index)),
  };
  return { config, problems: reader.problems };
}

class Reader {
  readonly problems: ConfigProblem[] = [];

  object(value: unknown, pointer: string): JsonObject {
    if (value === undefined) {
      return {};
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
    this.#report(pointer, 'lint.config.type', { expected: 'object' });
    return {};
  }

  list(value: unknown, pointer: string): readonly unknown[] {
    if (value === undefined) {
      return [];
    }
    if (!Array.isArray(value)) {
      this.#report(pointer, 'lint.config.type', { expected: 'array' });
      return [];
    }
    if (value.length > MAX_LIST) {
      this.#report(pointer, 'lint.config.tooMany', { max: MAX_LIST });
    }
    return value.slice(0, MAX_LIST);
  }

  keys(object: JsonObject, known: readonly string[], pointer: string): void {
    for (const key of Object.keys(object)) {
      if (!known.includes(key)) {
        this.#report(`${pointer}${pointerStep(key)}`, 'lint.config.key', { key });
      }
    }
  }

  rules(value: unknown, pointer: string): ReadonlyMap<string, RuleSetting> {
    const found = new Map<string, RuleSetting>();
    for (const [key, written] of Object.entries(this.object(value, pointer))) {
      const at = `${pointer}${pointerStep(key)}`;
      const code = CODES.get(key);
      const setting = SETTINGS.find((known) => known === written);
      if (code === undefined) {
        this.#report(at, 'lint.config.rule', { rule: key });
      } else if (setting === undefined) {
        this.#report(at, 'lint.config.choice', { choices: SETTINGS.join(', ') });
      } else {
        found.set(code, setting);
      }
    }
    return found;
  }

  confidence(value: unknown, pointer: string): Confidence | undefined {
    const found = CONFIDENCES.find((known) => known === value);
    if (value !== undefined && found === undefined) {
      this.#report(pointer, 'lint.config.choice', { choices: CONFIDENCES.join(', ') });
    }
    return found;
  }

  globs(value: unknown, pointer: string): Globs {
    const entries = this.list(value, pointer);
    for (const [index, entry] of entries.entries()) {
      if (!isGlob(entry)) {
        this.#report(`${pointer}/${index}`, 'lint.config.glob', {});
      }
    }
    return globsOf(entries.filter(isGlob));
  }

  override(value: unknown, index: number): ConfigOverride {
    const pointer = `/overrides/${index}`;
    const object = this.object(value, pointer);
    this.keys(object, ['files', 'rules', 'confidence'], pointer);
    if (object['files'] === undefined) {
      this.#report(pointer, 'lint.config.files', {});
    }
    return {
      files: this.globs(object['files'], `${pointer}/files`),
      rules: this.rules(object['rules'], `${pointer}/rules`),
      confidence: this.confidence(object['confidence'], `${pointer}/confidence`),
    };
  }

  #report(pointer: string, message: string, args: TextArgs): void {
    this.problems.push({ pointer, message, args });
  }
}

/** A key in a JSON pointer (RFC 6901, section 3). */
