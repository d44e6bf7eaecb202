import { parseSuite } from '../../../../../src/core/replay/suites/parseSuite.ts';
import type { SuiteFile } from '../../../../../src/core/replay/suites/suiteFile.ts';
import type { SuiteFailure, SuiteInstance } from '../../../../../src/core/replay/suites/suiteInstance.ts';
import type { CallOutcome, RawEnd } from '../../../../../src/protocol/call.ts';
import type { ChainId } from '../../../../../src/protocol/events.ts';
import type { JsonValue } from '../../../../../src/protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../../../src/protocol/outcome.ts';

export const suiteOf = (value: object): SuiteFile => {
  const reading = parseSuite(JSON.stringify({ faultlineSuite: 1, server: 'a', ...value }));
  if ('problems' in reading) {
    throw new Error(JSON.stringify(reading.problems));
  }
  return reading.suite;
};

export const outcomeOf = (kind: OutcomeKind, end: RawEnd): CallOutcome => ({
  kind,
  detail: { signals: [], retry: 'never', end },
  chain: 'c' as ChainId,
  attempts: [],
  stopped: '',
});

export const resultEnd = (result: JsonValue): RawEnd => ({ kind: 'result', result, raw: JSON.stringify(result) });

export const textEnd = (text: string) => resultEnd({ content: [{ type: 'text', text }] });

export const gone: RawEnd = { kind: 'transport', failure: { reason: 'exited', message: 'gone', exitCode: 3 } };

export interface FakeOptions {
  readonly isShared?: boolean;
  readonly values?: Readonly<Record<string, string>>;
  /** Methods that change nothing. */
  readonly safe?: readonly string[];
  /** Why it does not come up, at each asking; the last counts from then on. */
  readonly notReady?: readonly (SuiteFailure | undefined)[];
  readonly answer?: (method: string, signal: AbortSignal | undefined) => CallOutcome | Promise<CallOutcome>;
}

/** Servers that tell what was done with them. */
export function fakeServers(options: FakeOptions = {}) {
  const log: string[] = [];
  const values = options.values ?? {};
  let opened = 0;
  let asked = 0;
  const open = (): Promise<SuiteInstance> => {
    opened += 1;
    const name = `server ${opened}`;
    log.push(`${name} opened`);
    return Promise.resolve({
      isShared: options.isShared ?? false,
      variables: { valueOf: (variable) => values[variable] },
      known: new Map(Object.entries(values)),
      ready: () => {
        const failure = options.notReady?.at(Math.min(asked, (options.notReady.length || 1) - 1));
        asked += 1;
        return Promise.resolve(failure);
      },
      isSafe: (method) => (options.safe ?? ['ping', 'tools/call']).includes(method),
      call: async ({ method, params, maxAttempts, timeoutMs, signal }) => {
        log.push(`${name} ${method} ${JSON.stringify(params ?? {})} ${maxAttempts}x ${timeoutMs}`);
        return (await options.answer?.(method, signal)) ?? outcomeOf('success', textEnd('ok'));
      },
      causeOf: ({ reason }) => ({ code: `cause.${reason}`, remedy: 'remedy', args: {} }),
      close: () => {
        log.push(`${name} closed`);
        return Promise.resolve();
      },
    });
  };
  return { open, log };
}
