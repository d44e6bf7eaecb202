import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/core/classify/judge.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';

interface Unseen {
  readonly tool: string;
  /** A string is one text block, an array several, an object structured content with its text. */
  readonly answer: JsonValue;
  readonly outcome: 'silent_error' | 'partial' | 'success';
}

const file = path.resolve(import.meta.dirname, '../../../fixtures/wire/unseen.jsonl');
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Unseen);

function resultOf(answer: JsonValue): JsonObject {
  const block = (value: JsonValue) => ({
    type: 'text',
    text: typeof value === 'string' ? value : JSON.stringify(value),
  });
  if (Array.isArray(answer)) {
    return { content: answer.map(block) };
  }
  return typeof answer === 'string'
    ? { content: [block(answer)] }
    : { content: [block(answer)], structuredContent: answer };
}

/** Written in one go, before anybody looked at a detector, and not to fit one: failures, and successes that look alike. */
describe('answers that no detector was made for', () => {
  it('are many, most of them successes that talk of failure', () => {
    const count = (outcome: Unseen['outcome']) => cases.filter((one) => one.outcome === outcome).length;
    expect([count('success') >= 140, count('silent_error') >= 40, count('partial') >= 30]).toEqual([true, true, true]);
  });

  it.each(cases)('$tool $answer is $outcome', ({ tool, answer, outcome }) => {
    const request = { method: 'tools/call', target: tool, params: { name: tool, arguments: {} } };
    expect(judge(request, { kind: 'result', result: resultOf(answer), raw: '' }).outcome).toBe(outcome);
  });
});
