import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURE_WORDS, failureIn, undecorated } from '../../../../../src/core/classify/detectors/failureWords.ts';

const folder = path.resolve(import.meta.dirname, '../../../../fixtures/wire');

/** Every text of the fixtures, and pieces of each, so that what stands within one also opens one. */
const heads = ['natural.jsonl', 'unseen.jsonl', 'wire.dev.jsonl']
  .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  .flatMap((line) => [...line.matchAll(/"((?:[^"\\]|\\.){3,})"/g)].map((match) => match[1] ?? ''))
  .flatMap((text) => [text, ...text.split(/[:.,;。、] ?/)])
  .map(undecorated);

describe('stems of failure words', () => {
  it('are many texts', () => expect(heads.length).toBeGreaterThan(3000));

  it('leave out no text that a pattern matches', () => {
    const missed = heads.filter((head) => {
      const matches = FAILURE_WORDS.some(({ openings, negations }) =>
        [...openings, ...negations].some((pattern) => pattern.test(head)),
      );
      return matches && failureIn(head) === undefined;
    });
    expect(missed).toEqual([]);
  });
});
