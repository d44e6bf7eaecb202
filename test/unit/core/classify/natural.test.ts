import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/core/classify/judge.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';

interface Natural {
  readonly tool: string;
  /** A string is one text block, an array several, an object structured content with its text. */
  readonly answer: JsonValue;
  readonly args?: JsonObject;
  readonly outcome: string;
  readonly retry: string;
}

const file = path.resolve(import.meta.dirname, '../../../fixtures/wire/natural.jsonl');
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Natural);

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

/** Answers as tools of many kinds word them. A false alarm here is worse than a miss. */
describe('answers in the words of tools', () => {
  it('are many', () => expect(cases.length).toBeGreaterThan(200));

  it.each(cases)('$tool $answer is $outcome', ({ tool, answer, args, outcome, retry }) => {
    const request = { method: 'tools/call', target: tool, params: { name: tool, arguments: args ?? {} } };
    const verdict = judge(request, { kind: 'result', result: resultOf(answer), raw: '' });
    expect({ outcome: verdict.outcome, retry: verdict.retry }).toEqual({ outcome, retry });
  });
});
