import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseDefinitions, parseServersSetting } from '../../../src/core/client/definitions.ts';
import { copyAs } from '../../../src/core/export/copyAs/copyAs.ts';
import { decodeEvent } from '../../../src/core/export/eventLine.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { Redactor } from '../../../src/core/log/redact/redactor.ts';
import { alterAnswer } from '../../../src/core/passthrough/faults/alter.ts';
import { parseFaults } from '../../../src/core/passthrough/faults/parseFaults.ts';
import { diffResults } from '../../../src/core/replay/resultDiff.ts';
import { mismatchesOf } from '../../../src/core/replay/suites/matchers.ts';
import { parseSuite } from '../../../src/core/replay/suites/parseSuite.ts';
import { keyMeta } from '../../../src/core/timeline/filter/keys.ts';
import { parseFilter } from '../../../src/core/timeline/filter/parse.ts';
import { parseFrame } from '../../../src/core/transport/envelope.ts';
import { parseConfig } from '../../../src/lint/config/parseConfig.ts';
import type { EventBody } from '../../../src/protocol/events.ts';
import { valueAt } from '../../../src/protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/jsonrpc.ts';
import { JsonTreeModel } from '../../../webview/jsonTreeModel.ts';
import { finalStates, recorded } from '../core/classify/support.ts';
import { sourceOf } from '../core/export/copyAs/source.ts';
import { eventsOf, items, written } from '../core/export/support.ts';
import { converse } from '../core/mock/scene.ts';
import { reportOnBodies } from '../core/report/support.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { vscodeStub } from '../support/vscodeStub.ts';

vi.mock('vscode', () => ({ ...vscodeStub(), workspace: { workspaceFolders: [] } }));

const { readArguments } = await import('../../../src/host/calls/argumentDocuments.ts');
const { exampleOf, formOf } = await import('../../../src/host/calls/schemaForm.ts');
const { withoutSecrets } = await import('../../../src/host/calls/remembered.ts');
const { cutJson } = await import('../../../src/host/timeline/jsonCut.ts');
const { readPageMessage } = await import('../../../src/host/timeline/pageMessages.ts');

const EVIL = '{"polluted":true,"isError":true,"enabled":true}';
/** Every name by which an object can reach what others share. */
const evil = `{"__proto__":${EVIL},"constructor":{"prototype":${EVIL}},"prototype":${EVIL},"a":1,"toString":1,"hasOwnProperty":1}`;
const value = JSON.parse(evil) as JsonObject;
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

function message(direction: 'sent' | 'received', raw: string): EventBody {
  return { kind: 'message', direction, raw, bytes: raw.length, envelope: parseFrame(raw).envelope };
}

/** Calls of tools that are called like members of every object, with such members everywhere. */
const conversation: readonly EventBody[] = NAMES.flatMap((name, index) => [
  message(
    'sent',
    `{"jsonrpc":"2.0","id":${index},"method":"tools/call","params":{"name":"${name}","arguments":${evil},"_meta":${evil}}}`,
  ),
  message(
    'received',
    `{"jsonrpc":"2.0","id":${index},"result":{"__proto__":${EVIL},"content":[],"structuredContent":${evil}}}`,
  ),
]).concat([
  message('sent', '{"jsonrpc":"2.0","id":"__proto__","method":"tools/list"}'),
  message(
    'received',
    `{"jsonrpc":"2.0","id":"__proto__","result":{"tools":[{"name":"__proto__","inputSchema":{"type":"object","properties":${evil}}}]}}`,
  ),
]);
const events = recorded(conversation);

describe('members that are named like what all objects share', () => {
  afterEach(() => {
    const plain = {} as Record<string, unknown>;
    expect([plain['polluted'], plain['isError'], plain['enabled'], Object.keys(Object.prototype)]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ]);
  });

  it('are recorded, redacted and read again as they came', async () => {
    const log = openEventLog({ path: undefined, clock: new FakeClock() });
    for (const event of events) {
      log.append(event);
    }
    const kept = log.read({ limit: 99 }).map(({ body }) => (body.kind === 'message' ? body.raw : ''));
    log.dispose();
    expect(kept).toEqual(conversation.map((body) => (body.kind === 'message' ? body.raw : '')));
    const secret = '{"__proto__":{"password":"hunter2hunter2"},"constructor":{"password":"hunter2hunter2"}}';
    const { text, count } = new Redactor(new Uint8Array(32)).redact(secret, true);
    expect({ count, names: Object.keys(JSON.parse(text)) }).toEqual({ count: 2, names: ['__proto__', 'constructor'] });
    expect(eventsOf(await items(await written(events), 1 << 16))).toEqual(events);
  });

  it('make no event of a session file but what it says', () => {
    const read = decodeEvent(JSON.parse(`{"__proto__":${JSON.stringify(events[0])},"seq":1}`) as JsonValue);
    expect(read).toHaveProperty('problem');
  });

  it('are no flags of a result, and names of tools like others', () => {
    const calls = finalStates(events).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ target, verdict }) => [target, verdict?.outcome])).toEqual(
      NAMES.map((name) => [name, 'success']),
    );
    const report = reportOnBodies(conversation);
    expect(report.tools.map(({ tool }) => tool).toSorted()).toEqual(NAMES.toSorted());
  });

  it('are found as members of their own, or not at all', () => {
    expect(valueAt({}, '/__proto__')).toBeUndefined();
    expect(valueAt({}, '/constructor/prototype')).toBeUndefined();
    expect(valueAt(value, '/__proto__/polluted')).toBe(true);
    expect(mismatchesOf({}, { exists: true, at: '/constructor' }, [])).toHaveLength(1);
    expect(mismatchesOf(value, { equals: true, at: '/__proto__/polluted' }, [])).toEqual([]);
    expect(mismatchesOf({}, { subset: value }, [])).not.toEqual([]);
  });

  it('are compared, drawn and cut like others', () => {
    expect(
      diffResults({}, value)
        .changes.map(({ pointer }) => pointer)
        .toSorted(),
    ).toEqual(
      Object.keys(value)
        .map((name) => `/${name}`)
        .toSorted(),
    );
    const tree = new JsonTreeModel(value, ['/__proto__/polluted'], []);
    expect(tree.lines().flatMap((line) => ('name' in line && line.depth === 1 ? [line.name] : []))).toEqual(
      Object.keys(value),
    );
    expect(cutJson(value, 10_000).json).toBe(evil);
  });

  it('are what is sought, in a filter', () => {
    for (const name of NAMES) {
      expect(parseFilter(`tool:${name}`)).not.toHaveProperty('error');
      expect(keyMeta(name)).toBeUndefined();
      expect(parseFilter(`is:${name}`)).toHaveProperty('error');
    }
  });

  it('are copied, played and broken like others', async () => {
    const params = { name: 't', arguments: value };
    for (const format of ['vitest', 'pytest', 'call'] as const) {
      expect(copyAs(format, sourceOf({ params }))).toHaveProperty('text', expect.stringContaining('__proto__'));
    }
    const mock = await converse(conversation.map((body) => ({ body })));
    const said = await mock.say(
      JSON.parse(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"prototype","arguments":${evil}}}`),
    );
    expect(JSON.stringify(said)).toContain('"structuredContent":{"__proto__"');
    const raw = `{"jsonrpc":"2.0","id":1,"result":${evil}}`;
    const [broken = ''] = alterAnswer({ type: 'toolError' }, raw, JSON.parse(raw) as JsonObject).texts;
    expect(Object.keys(JSON.parse(broken).result)).toContain('__proto__');
  });

  it('set nothing in a file that a workspace can hold', () => {
    expect(parseSuite(`{"__proto__":{"faultlineSuite":1,"name":"x","server":"y","cases":[]}}`)).toHaveProperty(
      'problems',
    );
    expect(parseFaults(`{"__proto__":{"faultlineFaults":1,"rules":[]}}`)).toHaveProperty('problems');
    const file = '{"__proto__":{"servers":{"a":{"command":"x"}}},"servers":{"b":{"__proto__":{"command":"x"}}}}';
    expect(parseDefinitions(file, { kind: 'vscode-mcp-json', path: '/x' }).definitions).toEqual([]);
    const inherited = JSON.parse('{"b":{"__proto__":{"command":"x"}}}');
    expect(parseServersSetting(inherited, { kind: 'settings', path: 'x' }).definitions).toEqual([]);
    const config = parseConfig(
      JSON.parse('{"__proto__":{"rules":{"FL001":"off"}},"rules":{"__proto__":"off"}}'),
      '/w',
    ).config;
    expect(config.rules.get('FL001')).toBeUndefined();
    expect(readArguments(evil)).toEqual({ values: value });
  });

  it('are fields of a form, arguments that are remembered, and no message of the page', () => {
    const schema = JSON.parse(
      `{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}`,
    );
    expect(JSON.stringify(formOf(schema))).toContain('__proto__');
    expect(Object.keys(exampleOf(schema))).toEqual(['__proto__']);
    expect(Object.keys(withoutSecrets(value))).toEqual(Object.keys(value));
    const inherited = JSON.parse('{"__proto__":{"type":"request","id":1,"method":"ready"},"type":"request"}');
    expect(readPageMessage(inherited)).toMatchObject({ type: 'invalid', id: undefined });
    for (const method of NAMES) {
      expect(readPageMessage({ type: 'request', id: 1, method, params: {} })).toMatchObject({ type: 'invalid', id: 1 });
    }
  });
});
