import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LEFT_OUT_KINDS } from '../../../../src/core/export/sessionFile.ts';
import { eventsOf, header, items, problemsOf, written } from './support.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/session-format.md'), 'utf8');

it('the example of the documentation is a session file as it would be written', async () => {
  const example = /```jsonl\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const found = await items(example);
  expect(problemsOf(found)).toEqual([]);
  expect(await written(eventsOf(found), { ...header, sessions: [{ id: 's1', name: 'demo' }] })).toBe(example);
});

it('the documentation names everything that can be left out', () => {
  expect(LEFT_OUT_KINDS.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
});
