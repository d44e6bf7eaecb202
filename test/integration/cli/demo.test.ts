import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { demoSteps } from '../../../src/demo/steps.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { type CliResult, runCli } from './runCli.ts';

let folder: string;
let result: CliResult;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-demo-'));
  result = await runCli(['demo', '--format', 'json', '--log', 'events.sqlite'], { cwd: folder });
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Every exchange that the recorded log projects to, in order. */
function exchanges(): readonly Exchange[] {
  const log = openEventLog({ path: path.join(folder, 'events.sqlite'), clock: systemClock });
  const correlator = new Correlator(judge);
  const last = new Map<number, Exchange>();
  for (const exchange of log.read({ limit: 10_000 }).flatMap((event) => correlator.push(event))) {
    last.set(exchange.key, exchange);
  }
  log.dispose();
  return [...last.values()].sort((a, b) => a.key - b.key);
}

describe('faultline demo', () => {
  it('plays the scripted agent, and every call ends as foreseen', () => {
    const { code, stdout, stderr } = result;
    const steps = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(steps.map((step) => [step['id'], step['outcome']])).toEqual(demoSteps.map((step) => [step.id, step.expect]));
    const attemptsOf = (id: string) => steps.find((step) => step['id'] === id)?.['attempts'];
    expect(attemptsOf('flaky')).toEqual(['timeout', 'protocol_error', 'success']);
    expect(attemptsOf('payment')).toEqual(['transport_error', 'success']);
    expect(attemptsOf('supplier')).toEqual(['timeout']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('leaves a log that tells the same', () => {
    const calls = exchanges().filter((exchange) => exchange.method === 'tools/call');
    const lastAttempts = calls.filter(
      ({ chain }, index) => !calls.slice(index + 1).some((later) => later.chain?.id === chain?.id),
    );
    expect(lastAttempts.map((exchange) => [exchange.target, exchange.verdict?.outcome])).toEqual(
      demoSteps.map((step) => [step.tool, step.expect]),
    );
    expect(calls.length - lastAttempts.length).toBe(3);
  });

  it('leaves the facts beside the outcomes in it as well', () => {
    const all = exchanges();
    const marked = (mark: string) =>
      all.filter(({ marks }) => (marks as readonly string[]).includes(mark)).map(({ target }) => target);
    expect(marked('duplicate')).toEqual(['get_stock']);
    expect(marked('ambiguous_delivery')).toEqual(['ask_supplier', 'get_exchange_rate', 'reindex_catalogue']);
    expect(new Set(marked('retried'))).toEqual(new Set(['flaky_lookup', 'check_payment']));
    expect(all.filter(({ kind }) => kind === 'noise').map(({ target }) => target)).toEqual([
      '[receipts] DEBUG printing order-0001 on /dev/usb/lp0',
    ]);
  });
});
