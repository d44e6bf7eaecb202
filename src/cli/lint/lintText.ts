import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/messageOf.ts';
import type { LintConfig } from '../../lint/config/config.ts';
import { type LanguageId, LintEngine, type SkipReason } from '../../lint/engine.ts';
import { applyEdits, editsOf, safeFixes } from '../../lint/fixes/apply.ts';
import type { ToolDefinition } from '../../lint/toolDefinitions.ts';
import type { Confidence, Finding } from '../../protocol/finding.ts';
import { loadAsset } from '../assets.ts';

/** A fix may make room for another, or uncover a finding; more rounds than this are a circle. */
const MAX_ROUNDS = 10;

export interface SourceInput {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly languageId: LanguageId;
  readonly config: LintConfig | undefined;
}

export type TextResult =
  | {
      readonly kind: 'linted';
      readonly findings: readonly Finding[];
      /** The tools that the file registers. */
      readonly tools: readonly ToolDefinition[];
      /** The text with every safe fix; the same as before when there was none or none was asked for. */
      readonly text: string;
      readonly fixed: number;
    }
  | { readonly kind: 'skipped'; readonly reason: Exclude<SkipReason, 'no-sdk'> }
  /** The engine itself failed: a grammar is missing. */
  | { readonly kind: 'broken'; readonly why: string };

/** The engine for one run of the command line. */
export class TextLinter {
  readonly #engine = new LintEngine({ load: loadAsset });
  readonly #confidence: Confidence;

  constructor(confidence: Confidence) {
    this.#confidence = confidence;
  }

  /** Lints a text, and with `fix` mends what can be mended safely. Never rejects. */
  async lint(input: SourceInput, fix: boolean): Promise<TextResult> {
    try {
      return await this.#lint(input, fix);
    } catch (error) {
      return { kind: 'broken', why: messageOf(error) };
    }
  }

  dispose(): void {
    this.#engine.dispose();
  }

  async #lint({ path, languageId, config, text: before }: SourceInput, fix: boolean): Promise<TextResult> {
    let text = before;
    let fixed = 0;
    for (let round = 0; ; round++) {
      const result = await this.#engine.lint(
        { path, text, languageId },
        { confidence: this.#confidence, readFile: readText, ...(config === undefined ? {} : { config }) },
      );
      if (result.kind === 'skipped') {
        // One that uses no MCP SDK is clean without being parsed.
        return result.reason === 'no-sdk'
          ? { kind: 'linted', findings: [], tools: [], text, fixed }
          : { kind: 'skipped', reason: result.reason };
      }
      const fixes = fix && round < MAX_ROUNDS ? safeFixes(result.findings) : [];
      if (fixes.length === 0) {
        return { kind: 'linted', findings: result.findings, tools: result.tools, text, fixed };
      }
      text = applyEdits(text, editsOf(fixes));
      fixed += fixes.length;
    }
  }
}

function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
