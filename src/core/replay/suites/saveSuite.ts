import { applyEdits, modify } from 'jsonc-parser';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../protocol/outcome.ts';
import { expectationOf } from './expectationOf.ts';
import { SUITE_FORMAT, type SuiteCase, type SuiteServer } from './suiteFile.ts';
import { unfillValue } from './suiteVariables.ts';

/** A recorded call as a case is made of it. Secrets have been replaced in it, as in everything recorded. */
export interface RecordedCase {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Tool, prompt or resource that it names. */
  readonly target: string | undefined;
  readonly outcome: OutcomeKind | undefined;
  /** The result, the error object, or what came in their place. */
  readonly answer: JsonValue | undefined;
  /** Of a timeout: the limit that was reached, ms. */
  readonly timeoutMs?: number | undefined;
}

export interface NewSuite {
  readonly name: string;
  readonly server: SuiteServer;
  readonly trustAnnotations: boolean;
  readonly cases: readonly SuiteCase[];
}

/** What stands in the place of a secret: see `docs/redaction.md`. */
const PLACEHOLDER = /\[redacted(?::([^\]:\s]{1,60}):[0-9a-f]{1,12})?\]/g;
const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 600_000;
const MAX_NAME = 200;

/**
 * Cases of recorded calls, in their order; a call that no case can expect anything of is left out. `taken`: names that
 * another case has. A secret that was not recorded becomes a variable: the same secret the same one.
 */
export function casesOf(calls: readonly RecordedCase[], taken: readonly string[] = []): readonly SuiteCase[] {
  const names = new Set(taken);
  const secrets = new SecretNames();
  return calls.flatMap(({ method, params, target, outcome, answer, timeoutMs }): readonly SuiteCase[] => {
    const expect =
      outcome === undefined ? undefined : expectationOf(outcome, method, answer && unfillValue(answer, NOTHING));
    if (expect === undefined || outcome === undefined) {
      return [];
    }
    const name = unique(`${target ?? method}: ${outcome.replaceAll('_', ' ')}`.slice(0, MAX_NAME), names);
    const limit = timeoutMs === undefined ? undefined : Math.round(timeoutMs);
    return [
      {
        name,
        method,
        ...(params === undefined ? {} : { params: secrets.replacedIn(params) }),
        ...(limit === undefined ? {} : { timeoutMs: Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, limit)) }),
        expect,
      },
    ];
  });
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The text of a new suite. It sends nothing that may change something until a person says so in it. */
export function suiteText({ name, server, trustAnnotations, cases }: NewSuite): string {
  const parts = {
    faultlineSuite: SUITE_FORMAT,
    name,
    server,
    trustAnnotations,
    allowWrites: false,
    cases,
  };
  const text = JSON.stringify(parts, undefined, 2);
  const about =
    '  // True sends cases that may change something as well, to the server that a run has started for itself.\n';
  return `${text.replace(/^ {2}"allowWrites"/m, (line) => `${about}${line}`)}\n`;
}

/** The text of a suite with further cases behind those that it has; comments and the rest stay. */
export function withCases(text: string, cases: readonly SuiteCase[]): string {
  let edited = text;
  for (const each of cases) {
    const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
    edited = applyEdits(edited, modify(edited, ['cases', -1], each, { formattingOptions, isArrayInsertion: true }));
  }
  return edited;
}

function unique(wanted: string, names: Set<string>): string {
  let name = wanted;
  for (let number = 2; names.has(name); number += 1) {
    name = `${wanted} (${number})`;
  }
  names.add(name);
  return name;
}

/** Gives placeholders the names of secrets. */
class SecretNames {
  private readonly byPlaceholder = new Map<string, string>();
  private readonly taken = new Set<string>();

  replacedIn(params: JsonObject): JsonObject {
    return this.replaced(unfillValue(params, NOTHING), 'secret') as JsonObject;
  }

  private replaced(value: JsonValue, owner: string): JsonValue {
    if (typeof value === 'string') {
      return value.replace(PLACEHOLDER, (placeholder, kind: string | undefined) => {
        // Without digits nothing tells two secrets apart.
        const key = kind === undefined ? `${owner} ${placeholder}` : placeholder;
        return `\${secret:${this.nameOf(key, owner)}}`;
      });
    }
    if (Array.isArray(value)) {
      return value.map((item: JsonValue) => this.replaced(item, owner));
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.replaced(item, name)]));
    }
    return value;
  }

  private nameOf(placeholder: string, owner: string): string {
    const known = this.byPlaceholder.get(placeholder);
    if (known !== undefined) {
      return known;
    }
    const plain = owner.replaceAll(/[^\w.-]+/g, '-').slice(0, 60);
    const name = unique(plain === '' ? 'secret' : plain, this.taken)
      .replaceAll(/[ ()]+/g, '-')
      .replace(/-$/, '');
    this.taken.add(name);
    this.byPlaceholder.set(placeholder, name);
    return name;
  }
}
