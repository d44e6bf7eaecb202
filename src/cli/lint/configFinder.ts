import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getNodeValue, printParseErrorCode } from 'jsonc-parser';
import { formatText } from '../../base/text.ts';
import { readTree } from '../../core/jsonc/readTree.ts';
import type { LintConfig } from '../../lint/config/config.ts';
import { parseConfig } from '../../lint/config/parseConfig.ts';
import { TEXTS } from '../../protocol/texts.ts';

const CONFIG_NAME = 'faultline.config.json';

/** Finds the `faultline.config.json` that counts for a file, the nearest above it, and reads each once. */
export class ConfigFinder {
  readonly #byFolder = new Map<string, Promise<LintConfig | undefined>>();
  readonly #onProblem: (file: string, problem: string) => void;

  /** `onProblem` is told of whatever is wrong in a configuration; what is right in it counts all the same. */
  constructor(onProblem: (file: string, problem: string) => void) {
    this.#onProblem = onProblem;
  }

  /** Undefined when there is none above `file`, an absolute path. */
  of(file: string): Promise<LintConfig | undefined> {
    return this.#ofFolder(path.dirname(file));
  }

  #ofFolder(folder: string): Promise<LintConfig | undefined> {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) {
      return known;
    }
    const found = this.#read(folder);
    this.#byFolder.set(folder, found);
    return found;
  }

  async #read(folder: string): Promise<LintConfig | undefined> {
    const file = path.join(folder, CONFIG_NAME);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) {
      return this.#parse(file, folder, text);
    }
    const parent = path.dirname(folder);
    return parent === folder ? undefined : this.#ofFolder(parent);
  }

  #parse(file: string, folder: string, text: string): LintConfig {
    const { tree, errors } = readTree(text);
    const { config, problems } = parseConfig(tree === undefined ? undefined : getNodeValue(tree), folder);
    for (const { error, offset } of errors) {
      this.#onProblem(file, `line ${text.slice(0, offset).split('\n').length}: ${printParseErrorCode(error)}`);
    }
    for (const { pointer, message, args } of problems) {
      const sentence = formatText(TEXTS[message] ?? message, args);
      this.#onProblem(file, pointer === '' ? sentence : `${pointer}: ${sentence}`);
    }
    return config;
  }
}

/** The configuration without what it says of confidence: the command line said something else. */
export function withoutConfidence(config: LintConfig): LintConfig {
  const overrides = config.overrides.map((override) => ({ ...override, confidence: undefined }));
  return { ...config, confidence: undefined, overrides };
}
