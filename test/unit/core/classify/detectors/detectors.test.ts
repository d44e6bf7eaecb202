import { describe, expect, it } from 'vitest';
import { detectBatch } from '../../../../../src/core/classify/detectors/batches.ts';
import { detectCountMembers } from '../../../../../src/core/classify/detectors/countMembers.ts';
import { detectCounts } from '../../../../../src/core/classify/detectors/counts.ts';
import { detectException } from '../../../../../src/core/classify/detectors/exceptions.ts';
import { FAILURE_WORDS, failureIn, undecorated } from '../../../../../src/core/classify/detectors/failureWords.ts';
import { detectHttpFailure } from '../../../../../src/core/classify/detectors/httpFailures.ts';
import { detectItemTexts } from '../../../../../src/core/classify/detectors/itemTexts.ts';
import { detectMixedSentences } from '../../../../../src/core/classify/detectors/mixedSentences.ts';
import { detectSdkText } from '../../../../../src/core/classify/detectors/sdkTexts.ts';
import { detectShape } from '../../../../../src/core/classify/detectors/shape.ts';
import { detectTruncation } from '../../../../../src/core/classify/detectors/truncation.ts';
import { detectWording } from '../../../../../src/core/classify/detectors/wording.ts';
import type { Detector } from '../../../../../src/core/classify/evidence.ts';
import { viewResult } from '../../../../../src/core/classify/resultView.ts';
import { natureOf } from '../../../../../src/core/classify/toolNature.ts';
import type { JsonObject, JsonValue } from '../../../../../src/protocol/jsonrpc.ts';
import { outcomeTexts } from '../../../../../src/protocol/texts/outcome.ts';

/** Runs one detector; gives "code pointer" of what it found. An object is structured content, a string one text. */
function found(detect: Detector, tool: string, answer: JsonValue, args: JsonObject = {}): readonly string[] {
  const block = (text: JsonValue) => ({ type: 'text', text });
  const result: JsonObject = Array.isArray(answer)
    ? { content: answer.map(block) }
    : typeof answer === 'string'
      ? { content: [block(answer)] }
      : { content: [], structuredContent: answer };
  const request = { method: 'tools/call', target: tool, params: { name: tool, arguments: args } };
  const evidence = detect(viewResult(result, '/result'), { request, nature: natureOf(request) });
  expect(evidence.filter(({ signal }) => !Object.hasOwn(outcomeTexts, signal.code))).toEqual([]);
  return evidence.map(({ signal }) => `${signal.code} ${signal.pointer}`);
}

type Row = readonly [tool: string, answer: JsonValue, expected: readonly string[], args?: JsonObject];

const text = (code: string) => [`signal.silent.${code} /result/content/0/text`];

const tables: readonly (readonly [name: string, detect: Detector, rows: readonly Row[]])[] = [
  [
    'shape',
    detectShape,
    [
      ['pay', { success: false }, ['signal.silent.flag /result/structuredContent/success']],
      ['pay', '{"ok": false, "reason": "declined"}', text('flag')],
      ['pay', '```json\n{"error": "declined"}\n```', text('error')],
      [
        'pay',
        { result: { status: 'error', message: 'x' } },
        ['signal.silent.status /result/structuredContent/result/status'],
      ],
      ['pay', { error: { code: 3, message: 'declined' } }, ['signal.silent.error /result/structuredContent/error']],
      ['pay', { error: null, errors: [], id: 4 }, []],
      ['pay', { error: 'none' }, []],
      ['pay', { receipt: 'r-1', error: 'printer out of paper' }, []],
      ['pay', { 'a/b~c': 1, status: 'failed', reason: 'x', error: 'declined' }, []],
      ['get_job', { id: 'j', status: 'failed', error: 'oom' }, []],
      ['check_health', { ok: false }, []],
      ['read_file', '{"error": "in a file"}', []],
    ],
  ],
  [
    'wording',
    detectWording,
    [
      ['pay', 'Error: declined', text('wording')],
      ['pay', '**Error:** declined', text('wording')],
      ['pay', '❌ The card was not charged', text('cross')],
      ['pay', '❌ Order 5 cancelled', []],
      ['pay', 'Paid. Error: none', []],
      ['echo', 'Error: declined', [], { message: 'Error: declined' }],
      ['get_logs', 'Error: declined', []],
      ['get_logs', 'Failed to connect to the log server', text('wording')],
      ['read_file', 'Error: a\nError: b', []],
    ],
  ],
  [
    'sdk texts',
    detectSdkText,
    [
      ['pay', 'MCP error -32602: Tool pay not found', text('sdkText')],
      ['pay', 'Error executing tool pay: boom', text('sdkText')],
      ['pay', "An error occurred invoking 'pay'.", text('sdkText')],
      ['pay', 'validating "arguments": missing', text('sdkText')],
      ['explain', 'MCP error -32602: this means', []],
      ['pay', 'It said: MCP error -32602: x', []],
    ],
  ],
  [
    'exceptions',
    detectException,
    [
      ['pay', 'Traceback (most recent call last):\n  File "x"\nKeyError: 1', text('trace')],
      ['pay', 'TypeError: x is undefined\n    at pay (/a.js:1:2)', text('trace')],
      ['pay', "KeyError: 'x'", text('exception')],
      ['pay', 'ENOENT: no such file', text('exception')],
      ['run_code', 'TypeError: x is undefined\n    at pay (/a.js:1:2)', []],
      ['read_file', 'Traceback (most recent call last):\n  File "x"\nKeyError: 1', []],
      ['pay', 'Paid. KeyError: 1', []],
    ],
  ],
  [
    'HTTP failures',
    detectHttpFailure,
    [
      ['pay', '502 Bad Gateway', text('http')],
      ['pay', 'HTTP 404: Not Found', text('http')],
      ['pay', 'Request failed with status code 401', text('http')],
      ['pay', '<!doctype html><title>503 Service Unavailable</title>', text('html')],
      ['pay', '<html><body><h1>Thank you</h1></body></html>', []],
      ['fetch_page', '<html><title>404 Not Found</title></html>', []],
      ['pay', '404 kroner were paid', []],
    ],
  ],
  [
    'batches',
    detectBatch,
    [
      ['send', { sent: ['a'], failed: ['b'] }, ['signal.partial.list /result/structuredContent/failed']],
      ['send', { sent: [], failed: ['b'] }, ['signal.silent.allFailed /result/structuredContent/failed']],
      ['send', { sent: ['a'], failed: [] }, []],
      ['send', { sent: ['a'], skipped: ['b'] }, []],
      [
        'send',
        { sent: ['a'], skipped: [{ id: 'b', reason: 'unreadable' }] },
        ['signal.partial.list /result/structuredContent/skipped'],
      ],
      [
        'send',
        {
          items: [
            { id: 1, success: true },
            { id: 2, success: false },
          ],
        },
        ['signal.partial.items /result/structuredContent/items/1'],
      ],
      [
        'send',
        {
          items: [
            { id: 1, error: 'x' },
            { id: 2, error: 'y' },
          ],
        },
        ['signal.silent.everyItem /result/structuredContent/items/0'],
      ],
      [
        'list_jobs',
        {
          jobs: [
            { id: 1, error: 'x' },
            { id: 2, error: null },
          ],
        },
        [],
      ],
      ['run_tests', { passed: ['a'], failed: ['b'] }, []],
    ],
  ],
  [
    'counts',
    detectCounts,
    [
      ['send', 'Sent 7 of 10 letters, 3 bounced.', ['signal.partial.count /result/content/0/text']],
      ['send', 'Sent 10 of 10 letters.', []],
      ['send', 'Sent 0 letters, 3 failed.', text('allFailed')],
      ['send', '12 von 15 Briefen gesendet, 3 abgelehnt', ['signal.partial.count /result/content/0/text']],
      ['send', 'Sent 7 letters. Showing 7 of 10.', []],
      ['send', 'Sent 3/10 letters so far', []],
      ['send', 'Sent on 3/10/2026, not found in archive', []],
    ],
  ],
  [
    'sentences',
    detectMixedSentences,
    [
      ['create_ticket', 'Created ticket 5. Could not notify Anna.', ['signal.partial.sentence /result/content/0/text']],
      ['create_ticket', 'Created ticket 5. This cannot be undone.', []],
      ['create_ticket', 'Created ticket 5.', []],
      ['create_ticket', 'Ticket 5. Error: x', []],
      ['get_ticket', 'Created ticket 5. Could not notify Anna.', []],
    ],
  ],
  [
    'count members',
    detectCountMembers,
    [
      ['send', { sent: 7, failed: 3 }, ['signal.partial.failedCount /result/structuredContent/failed']],
      ['send', { sent: 7, total: 10 }, ['signal.partial.count /result/structuredContent/sent']],
      ['send', { sent: 7, total: 10, status: 'running' }, []],
      ['get_stats', { sent: 7, failed: 3 }, []],
      [
        'list_all',
        { read: 2, total: 5, warning: 'page 3 timed out' },
        ['signal.partial.count /result/structuredContent/read'],
      ],
    ],
  ],
  [
    'truncation',
    detectTruncation,
    [
      [
        'export',
        { rows: [1], truncated: true, reason: 'time budget used up' },
        ['signal.partial.flag /result/structuredContent/truncated'],
      ],
      ['export', { rows: [1], truncated: true }, []],
      ['export', { rows: [1], partial: true }, ['signal.partial.flag /result/structuredContent/partial']],
      ['export', { rows: [1], hasMore: true, limit: 1 }, []],
      ['export', 'Partial results: shard 3 is missing', ['signal.partial.words /result/content/0/text']],
      ['export', 'All results', []],
    ],
  ],
  [
    'item texts',
    detectItemTexts,
    [
      ['send', ['a.txt: sent', 'b.txt: Error: bounced'], ['signal.partial.itemText /result/content/0/text']],
      ['send', 'a.txt: sent\nb.txt: failed', ['signal.partial.itemText /result/content/0/text']],
      ['send', '✅ anna\n❌ ben', ['signal.partial.itemText /result/content/0/text']],
      ['send', 'a.txt: sent\nb.txt: sent', []],
      ['send', 'Status: failed\nReason: none given', []],
      ['read_many', 'a.txt:\nError: content\n---\nb.txt:\nmore', []],
      ['read_many', 'a.txt:\nx\n---\nb.txt: Error - ENOENT', ['signal.partial.itemText /result/content/0/text']],
    ],
  ],
];

describe.each(tables)('evidence by %s', (_, detect, rows) => {
  it.each(rows.map(([tool, answer, expected, args]) => ({ tool, answer, expected, args })))(
    '$tool $answer',
    ({ tool, answer, expected, args }) => {
      expect(found(detect, tool, answer, args)).toEqual(expected);
    },
  );
});

describe('failure words', () => {
  it('are known in at least eight languages', () => expect(FAILURE_WORDS.length).toBeGreaterThanOrEqual(8));

  it.each([
    ['en', 'Could not reach the printer'],
    ['de', 'Fehler beim Drucken'],
    ['fr', 'Une erreur est survenue'],
    ['es', 'No se pudo imprimir'],
    ['pt', 'Não foi possível imprimir'],
    ['it', 'Impossibile stampare'],
    ['zh', '无法打印文件'],
    ['ja', '印刷に失敗しました'],
    ['ru', 'Не удалось напечатать'],
    ['ko', '인쇄에 실패했습니다'],
    ['nl', 'Kan het bestand niet openen'],
    ['pl', 'Nie udało się wydrukować'],
  ])('%s: %s', (language, words) => {
    expect(failureIn(undecorated(words))?.language).toBe(language);
  });

  it.each([
    'Error handling in Go',
    'Errors: 0',
    'Failed logins: 3',
    'Mean squared error: 0.1',
    'Fehlerfrei gedruckt',
    'Erreurs : 0',
    'No errors',
    'Marked 3 mails as not read',
    'Cancelled',
    '印刷しました',
    '打印成功',
  ])('%s is no failure', (words) => {
    expect(failureIn(undecorated(words))).toBeUndefined();
  });
});
