import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/core/classify/judge.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import type { Verdict } from '../../../../src/protocol/outcome.ts';

/** Judges a `tools/call` answer: a string is one text block, an array several, an object structured content. */
function call(tool: string, answer: JsonValue, args: JsonObject = {}): Verdict {
  const text = (value: JsonValue) => ({
    type: 'text',
    text: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const result: JsonObject = Array.isArray(answer)
    ? { content: answer.map(text) }
    : typeof answer === 'string'
      ? { content: [text(answer)] }
      : { content: [text(answer)], structuredContent: answer };
  const request = { method: 'tools/call', target: tool, params: { name: tool, arguments: args } };
  return judge(request, { kind: 'result', result, raw: '' });
}

type Case = readonly [tool: string, answer: JsonValue, args?: JsonObject];
type PartialCase = readonly [tool: string, answer: JsonValue, args: JsonObject, missing: readonly string[]];

const named = (cases: readonly Case[]) => cases.map(([tool, answer, args]) => ({ tool, answer, args }));

const benign: readonly Case[] = [
  // The tool's job is to report.
  ['get_logs', 'Error: connection reset by peer\nError: connection reset by peer\nInfo: recovered'],
  ['get_logs', 'ERROR 2026-03-01 payment declined'],
  ['search_errors', { errors: [{ message: 'x is undefined', count: 4 }], total: 1 }],
  ['validate_json', { valid: false, errors: [{ message: 'missing comma', line: 3 }] }],
  ['validate_config', '❌ port must be a number\n✅ host is set'],
  ['run_tests', '2 failed, 10 passed'],
  ['run_tests', { passed: 10, failed: 2, failures: [{ name: 'adds', error: 'expected 2' }] }],
  ['check_links', '3 of 40 links are broken'],
  ['health_check', { ok: false, status: 'error', message: 'database down' }],
  ['get_job_status', { id: 'j1', status: 'failed', error: 'out of memory' }],
  ['get_build', { id: 77, status: 'failed', error: 'exit code 2', branch: 'main' }],
  [
    'list_deployments',
    {
      deployments: [
        { id: 1, status: 'failed' },
        { id: 2, status: 'ok' },
      ],
    },
  ],
  [
    'list_jobs',
    {
      jobs: [
        { id: 1, state: 'done', error: null },
        { id: 2, state: 'failed', error: 'oom' },
      ],
    },
  ],
  ['ping_host', 'Request timed out.'],
  ['get_incident', 'Error: checkout is down since 09:00'],
  ['explain_error', 'TypeError: x is not a function means that you called something that is no function.'],
  ['browser_console_messages', '[ERROR] Failed to load resource: 404'],
  ['lint_file', { errorCount: 3, fixed: 1, messages: [] }],
  ['diff_schemas', { missing: ['a'], added: ['b'], results: [] }],
  // Content that others wrote.
  ['read_file', 'Error handling\n==============\nErrors are values. Failed to see that? Read on.'],
  ['read_file', '{"success": false, "error": "sample for the manual"}', { path: 'sample.json' }],
  ['read_source', 'export class NotFoundError extends Error {}\nthrow new NotFoundError("Error: x")'],
  ['fetch_page', '<!DOCTYPE html><html><head><title>404 Not Found</title></head><body>Nothing here</body></html>'],
  ['http_request', { status: 404, body: 'Not Found' }],
  [
    'search_docs',
    'Error codes: 400 means bad request, 404 means not found, 500 means that the server failed.\n'.repeat(8),
  ],
  ['get_email', 'Your payment failed. Please update your card.'],
  [
    'query_database',
    {
      rows: [
        { id: 1, error: 'declined' },
        { id: 2, error: null },
      ],
      rowCount: 2,
    },
  ],
  ['run_python', 'Traceback (most recent call last):\n  File "<stdin>", line 1\nZeroDivisionError: division by zero'],
  // Text that the tool makes or gives back.
  ['echo', 'Error: this is what you said', { message: 'Error: this is what you said' }],
  ['translate', 'Fehler: Datei nicht gefunden', { text: 'Error: file not found', to: 'de' }],
  ['summarize', 'Failed states are countries whose government lost control.'],
  // Good news with bad words, and empty searches.
  ['import_rows', 'Imported 20 rows, 0 failed, 0 skipped.'],
  ['import_rows', { imported: 20, failed: 0, errors: [], error: null }],
  ['deploy', { success: true, errors: null, message: 'Error budget left: 99 %' }],
  ['sync_files', { copied: ['a'], skipped: ['b', 'c'] }],
  ['sync_files', { copied: ['a'], skipped: [{ file: 'b', reason: 'unchanged' }] }],
  ['find_users', 'No users found'],
  ['find_users', { users: [], total: 0 }],
  ['buscar_libros', 'No se encontraron resultados'],
  ['suche_kunden', 'Keine Treffer gefunden'],
  ['搜索', '没有找到相关结果'],
  ['search_items', { items: [1, 2], total: 250, hasMore: true, nextCursor: 'c2' }],
  ['list_orders', 'Showing 10 of 250 orders'],
  ['list_orders', 'Page 2 of 5'],
  ['get_progress', { completed: 3, total: 5 }],
  ['get_weather', 'Warning: heavy rain expected. 12 °C'],
  ['set_threshold', 'Error rate threshold set to 5 %'],
  ['create_monitor', 'Error tracking enabled for project ORBIT'],
  ['update_record', 'Updated 3 of 10 matching records'],
  ['create_note', 'Created note "Failed experiments"', { title: 'Failed experiments' }],
  ['read_text', { text: 'abc', truncated: true, limit: 3 }],
  ['get_movie', 'Rated 4 of 5 stars by 300 people'],
  ['cancel_order', { status: 'cancelled', id: 5 }],
  ['delete_file', 'Deleted error.log'],
  ['list_directory', '[FILE] error.log\n[DIR] failed\n[FILE] not-found.html'],
  ['read_file', 'Error: this is a log\nTraceback (most recent call last):\n', { path: 'a.log' }],
  ['read_text_file', { content: 'Error: one line of a log' }, { path: 'a.log' }],
  ['read_multiple_files', '/a.log:\nError: in a log\n\n---\n/b.json:\n{"success": false}\n'],
  ['train_model', 'Mean squared error: 0.12'],
  ['train_model', 'Epoch 3\nTraining error: 0.4\nTest error: 0.5'],
  ['get_server_info', 'Last error: none\nUptime: 3 days'],
  ['get_auth_stats', 'Failed logins in the last hour: 0'],
  ['get_service_status', '❌ payment: down since 09:00\n✅ search: up'],
  ['get_service_status', '❌ offline'],
  ['cancel_order', '❌ Order 5 cancelled'],
  ['block_user', '🚫 Blocked user bob'],
  ['create_order', 'Order: 5\nStatus: waiting\nReason: payment method must be confirmed'],
  ['restart_job', 'Attempt 1: failed\nAttempt 2: ok'],
  ['get_policy', 'Errors and omissions insurance covers 2 of 3 cases.'],
  ['call_api', { code: 200, message: 'ok', data: null }],
  ['set_value', { code: 0, msg: 'success', data: null }],
  ['list_todos', '❌ Buy milk\n✅ Buy bread'],
  ['calculate', { result: 0 }],
  ['get_flag', { ok: true, value: false }],
  ['generate_report', { title: 'Errors in March', sections: [{ name: 'a', error_rate: 0.1 }] }],
  ['submit_order', 'Order 512 placed. If payment has failed you will get a mail.'],
];

const silent: readonly Case[] = [
  ['search_library', 'Error searching libraries: TypeError: fetch failed'],
  ['search_logs', 'Failed to connect to the log store: ECONNREFUSED'],
  ['create_ticket', '❌ Could not create the ticket'],
  ['send_email', 'Failed to send: mailbox unavailable'],
  ['save_note', '"Error: str x"'],
  ['read_file', "Error: ENOENT: no such file or directory, open '/x'"],
  ['get_price', { error: 'symbol is not traded' }],
  ['get_price', { price: null, error: { code: 17, message: 'symbol is not traded' } }, { symbol: 'XX' }],
  ['get_price', { symbol: 'XX', error: 'symbol is not traded' }, { symbol: 'XX' }],
  ['pay', { status: 'error', message: 'card declined' }],
  ['pay', { ok: false, reason: 'card declined' }],
  ['query_orders', { data: null, errors: [{ message: 'field "x" does not exist' }] }],
  ['get_stock', '503 Service Unavailable'],
  ['get_stock', 'Request failed with status code 500'],
  ['get_stock', 'HTTP error! status: 404'],
  ['get_stock', 'API error 401: invalid key'],
  ['build_index', 'java.lang.NullPointerException: no index\n\tat demo.Index.open(Index.java:9)'],
  ['build_index', 'panic: runtime error: index out of range\n\ngoroutine 1 [running]:'],
  ['rechnung_senden', 'Fehler beim Senden der Rechnung: Empfänger fehlt'],
  ['rechnung_senden', 'Die Rechnung konnte nicht gesendet werden.'],
  ['envoyer_facture', "Impossible d'envoyer la facture : serveur injoignable"],
  ['enviar_factura', 'No se pudo enviar la factura'],
  ['enviar_fatura', 'Não foi possível enviar a fatura'],
  ['inviare_fattura', 'Si è verificato un errore durante l’invio'],
  ['发送邮件', '发送失败：收件人不存在'],
  ['メール送信', 'メールの送信に失敗しました'],
  ['call_upstream', 'MCP error -32602: Tool inner not found'],
  ['convert_all', { succeeded: [], failed: [{ id: 1, reason: 'bad format' }] }],
  ['book_room', 'The room was not booked because it is already taken.'],
  ['upload', 'Upload failed: quota exceeded'],
  ['start_vm', 'An unexpected error occurred while starting the machine.'],
  ['run_tests', 'Failed to run the tests: vitest is not installed'],
  ['charge', { code: 1001, msg: '余额不足', data: null }],
  ['charge', '⚠️ The payment was declined by the bank.'],
  ['charge', 'Sorry, the payment service is currently unavailable. Please try again later.'],
  ['insert_row', 'ERROR 1064 (42000): You have an error in your SQL syntax'],
  ['insert_row', 'psycopg2.errors.UndefinedTable: relation "orders" does not exist'],
  ['edit_block', 'Search content not found in /a.txt.'],
  ['get_docs', 'Error fetching library documentation. Please try again later. TypeError: fetch failed'],
  ['set_flag', { success: 'false', message: 'read-only' }],
  ['set_flag', { status: 'error' }],
];

const partial: readonly PartialCase[] = [
  [
    'read_multiple_files',
    '/a.txt:\nhello\n\n---\n/missing.txt: Error - ENOENT: no such file',
    { paths: ['/a.txt', '/missing.txt'] },
    ['/missing.txt'],
  ],
  ['send_mails', { sent: ['a@x', 'b@x'], failed: ['c@x'] }, {}, ['c@x']],
  [
    'send_mails',
    {
      results: [
        { to: 'a', id: 'a', success: true },
        { to: 'b', id: 'b', success: false, error: 'bounced' },
      ],
    },
    {},
    ['b'],
  ],
  [
    'get_files',
    {
      files: [
        { path: 'a', content: 'x' },
        { path: 'b', error: 'ENOENT' },
      ],
    },
    {},
    ['b'],
  ],
  ['upload_photos', 'Uploaded 8 of 10 photos. 2 failed.', {}, []],
  ['import_contacts', 'Imported 12 contacts, 3 rejected because the mail address is missing', {}, []],
  ['importer_contacts', '8 contacts importés sur 10, 2 rejetés', {}, []],
  ['importar_contactos', 'Se importaron 8 de 10 contactos importados; 2 fueron rechazados', {}, []],
  ['indexar', 'Indexed 480 of 512 documents; 32 were skipped (encoding not recognised).', {}, []],
  ['synchroniser', 'Synchronisation terminée : 8 fiches sur 11 envoyées, 3 refusées (e-mail manquant)', {}, []],
  ['enviar_correos', 'Se enviaron 18 de 20 correos; 2 rebotaron', {}, []],
  ['importar_registros', 'Importados 45 de 50 registros. 5 ignorados por CPF inválido', {}, []],
  ['elabora', 'Elaborati 7 file su 9; 2 non leggibili', {}, []],
  ['一括処理', '10件中7件を処理しました。3件は失敗しました', {}, []],
  ['print_pages', 'page 1: printed\npage 2: printed\npage 3: failed, out of paper', {}, ['page 3']],
  ['批量导入', '共10条，成功7条，失败3条', {}, []],
  ['deploy_hosts', '✅ web-1: deployed\n✅ web-2: deployed\n❌ web-3: unreachable', {}, ['web-3']],
  ['translate_files', ['intro.txt: done', 'legal.txt: Error: password protected'], {}, ['legal.txt']],
  ['query_shards', { rows: [1], partial: true, reason: 'shard 3 timed out' }, {}, []],
  ['export_orders', { rows: [1, 2], truncated: true, message: 'stopped after the time limit' }, {}, []],
  ['migrate_users', { migrated: 90, failedCount: 10 }, {}, []],
  ['search_code', { incomplete_results: true, total_count: 4, items: [1, 2, 3, 4] }, {}, []],
];

describe('look-alikes', () => {
  it('has at least forty texts that mean no harm', () => expect(benign.length).toBeGreaterThanOrEqual(40));

  it.each(named(benign))('$tool $answer is a success', ({ tool, answer, args }) => {
    const verdict = call(tool, answer, args);
    expect({
      outcome: verdict.outcome,
      signals: verdict.signals.filter(({ code }) => code !== 'signal.more.cursor'),
    }).toEqual({
      outcome: 'success',
      signals: [],
    });
  });

  it.each(named(silent))('$tool $answer is a silent error', ({ tool, answer, args }) => {
    expect(call(tool, answer, args).outcome).toBe('silent_error');
  });

  it.each(partial)('%s %j is partial', (tool, answer, args, missing) => {
    const verdict = call(tool, answer, args);
    expect({ outcome: verdict.outcome, missing: verdict.partial?.missing }).toEqual({ outcome: 'partial', missing });
  });
});
