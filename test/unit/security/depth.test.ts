import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { harEvents } from '../../../src/cli/harEvents.ts';
import { ConfigFinder } from '../../../src/cli/lint/configFinder.ts';
import { parseDefinitions, parseServersSetting } from '../../../src/core/client/definitions.ts';
import { copyAs } from '../../../src/core/export/copyAs/copyAs.ts';
import { cutPayload } from '../../../src/core/export/cutPayload.ts';
import { writeHar } from '../../../src/core/export/har.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { Redactor } from '../../../src/core/log/redact/redactor.ts';
import { remap } from '../../../src/core/mock/remap.ts';
import { configTree } from '../../../src/core/passthrough/config/tree.ts';
import { alterAnswer } from '../../../src/core/passthrough/faults/alter.ts';
import { parseFaults } from '../../../src/core/passthrough/faults/parseFaults.ts';
import { diffResults } from '../../../src/core/replay/resultDiff.ts';
import { mismatchesOf } from '../../../src/core/replay/suites/matchers.ts';
import { parseSuite } from '../../../src/core/replay/suites/parseSuite.ts';
import { parseFrame } from '../../../src/core/transport/envelope.ts';
import { parseConfig } from '../../../src/lint/config/parseConfig.ts';
import type { EventBody } from '../../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/jsonrpc.ts';
import { JsonTreeModel } from '../../../webview/jsonTreeModel.ts';
import { finalStates, recorded } from '../core/classify/support.ts';
import { sourceOf } from '../core/export/copyAs/source.ts';
import { items, problemsOf, written } from '../core/export/support.ts';
import { client, converse } from '../core/mock/scene.ts';
import { reportOnBodies } from '../core/report/support.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { vscodeStub } from '../support/vscodeStub.ts';

vi.mock('vscode', () => ({ ...vscodeStub(), workspace: { workspaceFolders: [{ uri: { fsPath: '/w' } }] } }));

const { readArguments } = await import('../../../src/host/calls/argumentDocuments.ts');
const { formOf } = await import('../../../src/host/calls/schemaForm.ts');
const { Recording } = await import('../../../src/host/recording.ts');
const { createFileLog } = await import('../../../src/host/sessions/fileLog.ts');
const { payloadView } = await import('../../../src/host/timeline/payload.ts');
const { readPageMessage } = await import('../../../src/host/timeline/pageMessages.ts');

const DEPTH = 100_000;
const lists = `${'['.repeat(DEPTH)}1${']'.repeat(DEPTH)}`;
const objects = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;
const schemas = `${'{"type":"object","properties":{"a":'.repeat(DEPTH)}{}${'}}'.repeat(DEPTH)}`;
const deepLists = JSON.parse(lists) as JsonValue;
const deepObjects = JSON.parse(objects) as JsonObject;

function message(direction: 'sent' | 'received', raw: string): EventBody {
  return { kind: 'message', direction, raw, bytes: raw.length, envelope: parseFrame(raw).envelope };
}

const call = (id: number, args: string) =>
  message('sent', `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t","arguments":${args}}}`);
const answer = (id: number, member: string) => message('received', `{"jsonrpc":"2.0","id":${id},${member}}`);

/** A server and its client with nesting wherever JSON-RPC and MCP let anything stand. */
const conversation: readonly EventBody[] = [
  message('sent', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
  answer(1, `"result":{"tools":[{"name":"t","inputSchema":${schemas},"outputSchema":${schemas}}]}`),
  call(2, objects),
  answer(2, `"result":{"structuredContent":${objects},"content":[]}`),
  call(3, '{}'),
  answer(3, `"result":{"isError":true,"content":[{"type":"text","text":${JSON.stringify(lists)}}]}`),
  call(4, '{}'),
  answer(4, `"result":{"content":[{"type":"text","text":${JSON.stringify(`{"error":${objects},"success":false}`)}}]}`),
  call(5, lists),
  answer(5, `"error":{"code":-32602,"message":"no","data":${objects}}`),
  call(6, '{}'),
  answer(6, `"result":{"structuredContent":{"results":[${objects},{"error":${lists}}]},"content":[]}`),
  message('received', lists),
  message('received', `{"jsonrpc":"2.0","method":"notifications/message","params":${objects}}`),
];

const events = recorded(conversation);

describe('nesting of 100,000 levels', () => {
  it('is redacted, recorded and read again, text for text', () => {
    const log = openEventLog({ path: undefined, clock: new FakeClock() });
    for (const event of events) {
      log.append(event);
    }
    const raws = log.read({ limit: 99 }).map(({ body }) => (body.kind === 'message' ? body.raw : body.kind));
    log.dispose();
    expect(raws.map((raw) => raw.length)).toEqual(
      conversation.map((body) => (body.kind === 'message' ? body.raw.length : 0)),
    );
    const { text } = new Redactor(new Uint8Array(32)).redact(`{"password":"hunter2hunter2","a":${lists}}`, true);
    expect(text).toContain('"password":"[redacted:');
  });

  it('is classified, by whatever it is nested in', () => {
    const outcomes = finalStates(events)
      .filter(({ method }) => method === 'tools/call')
      .map(({ verdict }) => verdict?.outcome);
    expect(outcomes).toEqual(['success', 'tool_error', 'silent_error', 'protocol_error', expect.any(String)]);
  });

  it('is projected, and each message of it is shown', async () => {
    const recording = new Recording(createFileLog('/a/file.faultline.jsonl', events));
    await recording.load();
    expect(recording.timeline.row(3)?.endKey ?? recording.timeline.row(3)?.key).toBe(3);
    const views = conversation.flatMap((body, index) =>
      body.kind === 'message'
        ? [payloadView(index + 1, body, ['/result/structuredContent/a/a', '/result/content/0/text', '/error/data'])]
        : [],
    );
    // Short ones go to the page as they are, which reads them without a stack; what is long is cut in depth too.
    expect(new Set(views.map(({ tree }) => tree.kind))).toEqual(new Set(['raw', 'cut']));
  });

  it('is a tree in the page, of which as much is open as fits', () => {
    for (const value of [deepLists, deepObjects]) {
      const tree = new JsonTreeModel(value, ['/a/a/a', `${'/a'.repeat(300)}`], []);
      expect(tree.lines().length).toBeGreaterThan(50);
    }
  });

  it('is reported', () => expect(reportOnBodies(conversation).totals.calls).toBe(5));

  it('is exported to a session file and to HAR, and cut for a bug report', async () => {
    const found = await items(await written(events), 1 << 20);
    expect(problemsOf(found)).toEqual([]);
    let har = '';
    for await (const piece of writeHar(events, '1')) {
      har += piece;
    }
    expect(har).toContain('"entries"');
    expect(cutPayload(objects, 1000).length).toBeLessThan(1100);
  });

  it('is refused in a session file of another’s, line by line, and in an HTTP archive passed over', async () => {
    const [head = ''] = (await written(events)).split('\n');
    const found = await items(`${head}\n${objects}\n${lists}\n`, 1 << 20);
    expect(problemsOf(found).map(({ code }) => code)).toEqual([
      'session.too-deep',
      'session.too-deep',
      'session.truncated',
    ]);
    expect(harEvents(lists)).toHaveProperty('problem');
    expect(harEvents(`{"log":{"entries":[${objects}]}}`)).toEqual({ events: [], leftOut: 1 });
  });

  it('is compared with itself and with other nesting', () => {
    expect(diffResults(deepObjects, deepObjects)).toMatchObject({ isCoarse: true });
    expect(diffResults(deepLists, { a: 1 })).toMatchObject({ isSame: false });
    expect(mismatchesOf(deepObjects, { subset: { a: { a: 2 } } }, [])).toHaveLength(1);
    expect(mismatchesOf(deepObjects, { equals: 1 }, [])).toHaveLength(1);
    expect(mismatchesOf(deepObjects, { contains: 'x' }, [])).toHaveLength(1);
  });

  it.each(['vitest', 'pytest', 'curl', 'call'] as const)(
    'is copied as %s, or it is said that it cannot be',
    (format) => {
      const params = { name: 't', arguments: deepObjects };
      const copied = copyAs(
        format,
        sourceOf({ params, requestRaw: objects, result: { structuredContent: deepObjects } }),
      );
      expect(Object.keys(copied)).not.toEqual([]);
    },
  );

  it('is played by a mock, and broken by a fault', async () => {
    const mock = await converse(conversation.map((body) => ({ body })));
    const said = await mock.say({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 't', arguments: {} } });
    expect(said.length).toBeGreaterThan(0);
    const raw = `{"jsonrpc":"2.0","id":1,"result":${objects}}`;
    expect(remap(raw, { request: () => 7, token: () => undefined, ask: (id) => id })).toBe(raw);
    const broken = alterAnswer({ type: 'toolError' }, raw, JSON.parse(raw) as JsonObject);
    expect(broken.texts).toHaveLength(1);
    expect(client({}).body.kind).toBe('message');
  });

  it('is a problem of its own in every file that a workspace can hold', () => {
    for (const deep of [lists, objects]) {
      expect(parseSuite(deep)).toHaveProperty('problems');
      expect(parseSuite(`{"faultlineSuite":1,"cases":${deep}}`)).toHaveProperty('problems');
      expect(parseFaults(`{"faultlineFaults":1,"rules":${deep}}`)).toHaveProperty('problems');
      expect(parseDefinitions(`{"servers":${deep}}`, { kind: 'vscode-mcp-json', path: '/x' }).definitions).toEqual([]);
      expect(parseServersSetting(JSON.parse(deep), { kind: 'settings', path: 'x' }).definitions).toEqual([]);
      expect(configTree(deep)).toHaveProperty('kind', 'refused');
      expect(readArguments(deep)).toHaveProperty('problem');
      expect(parseConfig(JSON.parse(deep), '/w').config.rules).toBeDefined();
    }
  });

  it('is a problem in the configuration of the lint', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'faultline-deep-'));
    try {
      writeFileSync(path.join(folder, 'faultline.config.json'), `{"rules":${objects}}`);
      const problems: string[] = [];
      const config = await new ConfigFinder((_, problem) => problems.push(problem)).of(path.join(folder, 'a.py'));
      expect(config?.root).toBe(folder);
      expect(problems).not.toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('makes a form of a schema, and no message of the page', () => {
    expect(formOf(JSON.parse(schemas) as JsonValue).kind).toBeDefined();
    expect(readPageMessage(deepObjects)).toMatchObject({ type: 'invalid' });
    expect(readPageMessage({ type: 'request', id: 1, method: 'details', params: deepObjects })).toMatchObject({
      type: 'invalid',
      id: 1,
    });
  });
});
