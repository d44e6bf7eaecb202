import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'vitest';
import { BehaviourTracker } from '../../src/core/classify/behaviour/behaviourTracker.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import type { Behaviour } from '../../src/protocol/behaviour.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import type { Exchange } from '../../src/protocol/exchange.ts';
import { lineOf } from '../unit/core/classify/support.ts';
import { expectGolden } from './expectGolden.ts';

/** Sessions made by hand, with what stands beside the outcomes: anomalies, groups, and what the caller did. */
const folder = path.resolve(import.meta.dirname, '../fixtures/golden/beside');
const sessions = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => path.basename(file, '.jsonl'));

function projected(session: string): string {
  const correlator = new Correlator(judge);
  const tracker = new BehaviourTracker();
  const exchanges = new Map<number, Exchange>();
  const behaviours = new Map<string, Behaviour>();
  for (const line of readFileSync(path.join(folder, `${session}.jsonl`), 'utf8')
    .trim()
    .split('\n')) {
    for (const exchange of correlator.push(JSON.parse(line) as LogEvent)) {
      exchanges.set(exchange.key, exchange);
      for (const behaviour of tracker.push(exchange)) {
        behaviours.set(behaviour.id, behaviour);
      }
    }
  }
  const rows = [...exchanges.values()]
    .sort((a, b) => a.key - b.key)
    .flatMap((exchange) => [lineOf(exchange), ...besideOf(exchange)]);
  const found = [...behaviours.values()].map(({ kind, tool, exchanges: keys, changed }) =>
    `${kind} ${tool} #${keys.join(' #')} ${changed.join(',')}`.trimEnd(),
  );
  return `${[...rows, ...found].join('\n')}\n`;
}

function besideOf({ anomalies = [], group }: Exchange): readonly string[] {
  const ofGroup =
    group === undefined
      ? []
      : [`    ${group.kind} ${group.index} of #${group.head}, active ${group.activeUs / 1000} ms`];
  return [
    ...ofGroup,
    ...anomalies.map(({ code, severity, args, pointer, seq }) =>
      `    ${severity} ${code} ${JSON.stringify(args)} #${seq}${pointer ?? ''}`.trimEnd(),
    ),
  ];
}

describe('what stands beside the outcomes', () => {
  it.each(sessions)('of %s is as expected; UPDATE_GOLDEN=1 accepts a difference', (session) => {
    expectGolden(projected(session), folder, session);
  });
});
