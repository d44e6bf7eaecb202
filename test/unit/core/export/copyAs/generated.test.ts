import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { copyAs, copyFormatsOf } from '../../../../../src/core/export/copyAs/copyAs.ts';
import type { CopySource } from '../../../../../src/core/export/copyAs/copySource.ts';
import { jsString, pyString } from '../../../../../src/core/export/copyAs/literals.ts';
import { HOSTILE, sourceOf } from './source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'faultline-copy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasPython = spawnSync('python3', ['--version']).status === 0;

async function pythonParser(): Promise<Parser> {
  await Parser.init();
  const parser = new Parser();
  const wasm = '../../../../../node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm';
  parser.setLanguage(await Language.load(path.resolve(import.meta.dirname, wasm)));
  return parser;
}

const textOf = (format: 'vitest' | 'pytest', source: CopySource) => {
  const copied = copyAs(format, source);
  return 'text' in copied ? copied.text : copied.refusal;
};

/** Everything hostile in every place that a server, a model or a file can write. */
function hostileSource(text: string, change: Partial<CopySource> = {}): CopySource {
  return sourceOf({
    server: {
      name: text,
      isInMcpJson: false,
      transport: { type: 'stdio', command: text, args: [text], env: { [text]: 'x' }, cwd: text },
    },
    params: { name: text, arguments: { [text]: [text, { [text]: null }] } },
    result: { content: [{ type: 'text', text }], structuredContent: { [text]: text } },
    error: { code: -32602, message: text },
    ...change,
  });
}

const outcomes = ['success', 'tool_error', 'silent_error', 'protocol_error', 'timeout', 'transport_error'] as const;

const transports: readonly CopySource['server'][] = [
  {
    name: 'x',
    isInMcpJson: false,
    transport: { type: 'http', url: 'https://x/mcp', headers: { 'X-"Key\n': 'secret' } },
  },
  { name: 'x', isInMcpJson: false, transport: { type: 'http', url: 'https://x/sse', headers: {}, isLegacySse: true } },
];

/** Sources whose tests must be programs, whatever is in them. */
const sources: readonly CopySource[] = [
  ...HOSTILE.flatMap((text) => outcomes.map((outcome) => hostileSource(text, { outcome }))),
  ...transports.map((server) => sourceOf({ server })),
  sourceOf({
    method: 'resources/read',
    params: { uri: 'file:///a' },
    result: { contents: [{ uri: 'x', text: null }] },
  }),
  sourceOf({ method: 'prompts/get', params: { name: 'p', arguments: { a: 'b' } }, result: { messages: [] } }),
  sourceOf({
    result: { content: [], structuredContent: JSON.parse('{"__proto__":{"a":1e999},"b":[true,false,null,-0.5]}') },
  }),
];

describe('the vitest test of an exchange', () => {
  it('is TypeScript, whatever the server said', () => {
    const problems = sources.flatMap((source) => {
      const text = textOf('vitest', source);
      return parseSync('recorded.test.ts', text).errors.map(({ message }) => `${message}\n${text}`);
    });
    expect(problems).toEqual([]);
  });

  it('hides nothing from its reader', () => {
    const hidden = HOSTILE.filter((text) =>
      /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(textOf('vitest', hostileSource(text))),
    );
    expect(hidden).toEqual([]);
  });

  it('calls by the official client and asks for what was recorded', () => {
    expect(textOf('vitest', sourceOf())).toBe(`import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';

it("get_author: success, as recorded", async () => {
  const client = new Client({ name: 'recorded', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: "node",
      args: ["server.js"],
    }),
  );
  try {
    const result = await client.callTool({"name": "get_author", "arguments": {"title": "Dune"}});
    expect(result.isError ?? false).toBe(false);
    expect(result["content"]).toEqual([{"type": "text", "text": "Frank Herbert"}]);
  } finally {
    await client.close();
  }
});
`);
  });

  it('asks for no value that changes by itself, and holds no secret', () => {
    const source = sourceOf({
      server: {
        name: 'x',
        isInMcpJson: false,
        transport: { type: 'http', url: 'https://x/mcp', headers: { Authorization: 'Bearer top-secret' } },
      },
      params: { name: 'get', arguments: { key: 'k-[redacted:token:abcdef]' } },
      result: { content: [], structuredContent: { at: '14:02', title: 'Dune' } },
      isVolatile: (name) => name === 'at',
    });
    const text = textOf('vitest', source);
    expect(text).toContain('{"at": expect.any(String), "title": "Dune"}');
    expect(text).toContain(`"k-" + (process.env.FAULTLINE_TOKEN ?? '')`);
    expect(text).toContain(
      `{ requestInit: { headers: { "Authorization": (process.env.FAULTLINE_AUTHORIZATION ?? '') } } }`,
    );
    expect(text).not.toContain('top-secret');
  });

  it('leaves out what is too long to be read', () => {
    const result = { content: [{ type: 'text', text: 'x'.repeat(30_000) }] };
    expect(textOf('vitest', sourceOf({ result })).length).toBeLessThan(1000);
  });
});

describe('the pytest test of an exchange', () => {
  it('is Python, whatever the server said', async () => {
    const texts = sources.map((source) => textOf('pytest', source));
    const parser = await pythonParser();
    const broken = texts.filter((text) => text.startsWith('copy.') || parser.parse(text)?.rootNode.hasError !== false);
    expect(broken).toEqual([]);
    if (hasPython) {
      const files = texts.map((text, index) => {
        const file = path.join(folder, `test_${index}.py`);
        writeFileSync(file, text);
        return file;
      });
      execFileSync('python3', ['-m', 'py_compile', ...files], { encoding: 'utf8' });
      const script = `import json\nprint(json.dumps([${HOSTILE.map(pyString).join(', ')}]))`;
      expect(JSON.parse(execFileSync('python3', ['-c', script], { encoding: 'utf8' }))).toEqual(HOSTILE);
    }
  });

  it('calls by the official client and asks for what was recorded', () => {
    expect(textOf('pytest', sourceOf())).toBe(`import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def test_get_author_success() -> None:
    async def call() -> None:
        server = StdioServerParameters(
            command="node",
            args=["server.js"],
        )
        async with stdio_client(server) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()
                result = await session.call_tool("get_author", {"title": "Dune"})
                assert not result.isError
                answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
                assert answer["content"] == [{"type": "text", "text": "Frank Herbert"}]

    anyio.run(call)
`);
  });

  it('knows refusals and limits', () => {
    const refused = textOf('pytest', sourceOf({ outcome: 'protocol_error', error: { code: -32602, message: 'x' } }));
    expect(refused).toContain('with pytest.raises(McpError) as raised:');
    expect(refused).toContain('assert raised.value.error.code == -32602');
    expect(textOf('pytest', sourceOf({ outcome: 'timeout', timeoutMs: 500 }))).toContain(
      'read_timeout_seconds=timedelta(milliseconds=500)',
    );
  });
});

describe('strings', () => {
  it.each(HOSTILE)('of JavaScript are the text: %j', (text) => {
    expect(new Function(`return ${jsString(text)}`)()).toBe(text);
  });
});

describe('the formats of an exchange', () => {
  it.each<[Partial<CopySource>, readonly string[]]>([
    [{}, ['json', 'raw', 'call', 'vitest', 'pytest']],
    [{ http: { url: 'https://x/mcp', headers: {} } }, ['json', 'raw', 'curl', 'call', 'vitest', 'pytest']],
    [{ outcome: 'pending' }, ['json', 'raw', 'call']],
    [{ method: 'tools/list', result: { tools: [] } }, ['json', 'raw', 'vitest']],
    [{ server: { name: 'gone', isInMcpJson: false } }, ['json', 'raw']],
    [{ initiator: 'server', method: 'sampling/createMessage' }, ['json', 'raw']],
  ])('%j', (change, formats) => {
    expect(copyFormatsOf(sourceOf(change))).toEqual(formats);
  });

  it('has the messages as on the wire, one a line', () => {
    const { requestRaw, responseRaw } = sourceOf();
    expect(copyAs('raw', sourceOf())).toEqual({ text: `${requestRaw}\n${responseRaw}\n`, env: [] });
  });
});
