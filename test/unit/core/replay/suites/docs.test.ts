import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MOCK_CODES } from '../../../../../src/core/mock/ownAnswers.ts';
import { parseSuite } from '../../../../../src/core/replay/suites/parseSuite.ts';
import { EXPECTED_OUTCOMES, JSON_TYPES } from '../../../../../src/core/replay/suites/suiteFile.ts';
import { FOLDER_VARIABLES } from '../../../../../src/core/replay/suites/suiteVariables.ts';

const page = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, `../../../../../docs/${name}.md`), 'utf8');

it('the example of the documentation is a suite', () => {
  const example = /```jsonc\n([\s\S]*?)```/.exec(page('suites'))?.[1] ?? '';
  const reading = parseSuite(example);
  expect('problems' in reading ? reading.problems : reading.suite.cases.length).toBe(2);
});

it('the documentation names every outcome, matcher, type and folder', () => {
  const matchers = ['exact', 'equals', 'subset', 'contains', 'pattern', 'exists', 'absent', 'type'];
  const words = [...EXPECTED_OUTCOMES, ...matchers, ...JSON_TYPES, ...FOLDER_VARIABLES];
  const text = page('suites');
  expect(words.filter((word) => !new RegExp(`[\`{]${word}[\`:}]`).test(text))).toEqual([]);
});

it('the documentation names every code of a mock', () => {
  const text = page('mock');
  expect(Object.values(MOCK_CODES).filter((code) => !text.includes(`| ${code} |`))).toEqual([]);
});
