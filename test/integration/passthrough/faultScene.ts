import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { Fault, FaultRule } from '../../../src/core/passthrough/faults/plan.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'faultline-faults-'));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of faults with these rules. */
export function faultsFile(...rules: readonly FaultRule[]): string {
  files += 1;
  const file = path.join(folder, `${files}.faultline-faults.json`);
  writeFileSync(file, JSON.stringify({ faultlineFaults: 1, rules }));
  return file;
}

/** A file whose faults the first call meets, and no other. */
export const onFirstCall = (...faults: readonly Fault[]) =>
  faultsFile(...faults.map((fault) => ({ name: 'test', first: 1, fault })));

/** What a person would see of a call: its outcome, its marks, and what was injected. */
export function seen(exchange: Exchange | undefined): string {
  const { verdict, marks = [], injected = [] } = exchange ?? {};
  const shown = marks.filter((mark) => mark !== 'injected_fault');
  const faults = injected.map(({ fault, detail }) => (detail === undefined ? fault : `${fault} (${detail})`));
  // The mark is there exactly when something was injected.
  const isMarked = marks.includes('injected_fault') === injected.length > 0;
  return [verdict?.outcome ?? 'none', ...shown, `| ${faults.join(', ')}`, ...(isMarked ? [] : ['MARK'])].join(' ');
}
