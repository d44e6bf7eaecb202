import { describe, expect, it } from 'vitest';
import { createTail, levelOf } from '../../../../src/core/transport/stderr.ts';

describe('levelOf', () => {
  it.each([
    ['Server running on stdio', 'unknown'],
    ['no error found in 3 files', 'unknown'],
    ['Registered tool: error-report', 'unknown'],
    ['', 'unknown'],
    ['ERROR: no such table', 'error'],
    ['error: no such table', 'error'],
    ['[error] no such table', 'error'],
    ['\u001b[31mERROR\u001b[0m no such table', 'error'],
    ['2026-01-02 10:00:00,123 - bookshop - WARNING - slow', 'warning'],
    ['INFO:root:started', 'info'],
    ['2026-01-02T10:00:00Z DEBUG mcp::server: hello', 'debug'],
    ['time="2026-01-02" level=warn msg="slow"', 'warning'],
    ['{"level":"error","msg":"x"}', 'error'],
    ['{"level":30,"msg":"x"}', 'info'],
    ['{"level":20,"msg":"x"}', 'debug'],
    ['{"level":60,"msg":"x"}', 'error'],
    ['{"severity": "CRITICAL", "message": "x"}', 'error'],
    ['Traceback (most recent call last):', 'error'],
    ['TypeError: x is not a function', 'error'],
    ['Uncaught ReferenceError: y is not defined', 'error'],
    ['panic: runtime error: index out of range', 'error'],
    ['npm ERR! code E404', 'error'],
    ['npm warn deprecated inflight@1.0.6', 'warning'],
    ['(node:12) ExperimentalWarning: SQLite is an experimental feature', 'unknown'],
    ['(node:12) Warning: something', 'warning'],
    [`${'x'.repeat(300)} ERROR`, 'unknown'],
  ])('of %j is %s', (line, expected) => {
    expect(levelOf(line)).toBe(expected);
  });
});

describe('createTail', () => {
  it('keeps the last 20 lines, each cut', () => {
    const tail = createTail();
    for (let number = 1; number <= 25; number += 1) {
      tail.add(`line ${number}`);
    }
    tail.add('x'.repeat(5000));
    expect(tail.lines()).toHaveLength(20);
    expect(tail.lines()[0]).toBe('line 7');
    expect(tail.lines().at(-1)).toBe(`${'x'.repeat(2000)}…`);
  });
});
