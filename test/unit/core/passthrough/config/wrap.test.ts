import { describe, expect, it } from 'vitest';
import { parseDefinitions } from '../../../../../src/core/client/definitions.ts';
import { dialectOf } from '../../../../../src/core/client/discovery/dialects.ts';
import { untappedTransport } from '../../../../../src/core/passthrough/config/untapped.ts';
import { findTaps, unwrapEntry } from '../../../../../src/core/passthrough/config/unwrap.ts';
import { type TapWords, wrapEntry } from '../../../../../src/core/passthrough/config/wrap.ts';
import type { DefinitionSource } from '../../../../../src/protocol/definition.ts';
import { seededRandom } from '../../../support/seededRandom.ts';

const tap: TapWords = {
  id: '0badcafe',
  launcher: ['/state/faultline/tap'],
  options: ['--log', '/log "1".sqlite', '--server', 'books'],
  port: 8765,
};
const words = ['--tapped=0badcafe', '--log', '/log "1".sqlite', '--server', 'books', '--'];

function edited(result: { readonly kind: string; readonly text?: string }): string {
  expect(result).toMatchObject({ kind: 'edited' });
  return result.text ?? '';
}

const wrap = (text: string, section: readonly string[] = ['servers'], name = 'books') =>
  edited(wrapEntry(text, { section, name }, tap));

/** Every way of writing an entry that its client reads; the section it stands in, and its own words. */
const files: ReadonlyArray<{
  readonly is: string;
  readonly kind: DefinitionSource['kind'];
  readonly text: string;
  readonly section?: readonly string[];
  readonly words?: readonly string[];
  readonly url?: string;
}> = [
  {
    is: 'VS Code: comments, trailing commas, inputs',
    kind: 'vscode-mcp-json',
    text: '// servers\n{\n  "inputs": [{ "type": "promptString", "id": "key" }],\n  "servers": {\n    /* mine */ "books": {\n      "type": "stdio", // local\n      "command": "npx", // runner\n      "args": [\n        // quiet\n        "-y",\n        "books", // latest\n      ],\n      "env": { "KEY": "$\u007binput:key}", },\n    },\n  },\n}\n',
    words: ['npx', '-y', 'books'],
  },
  {
    is: 'VS Code user: tabs, CRLF, a byte order mark, no args',
    kind: 'vscode-user',
    text: '\uFEFF{\r\n\t"servers": {\r\n\t\t"other": {},\r\n\t\t"books": {\r\n\t\t\t"command"\t:\t"books-server" ,\r\n\t\t\t"env": {}\r\n\t\t}\r\n\t}\r\n}\r\n',
    words: ['books-server'],
  },
  {
    is: 'Claude Code project: one line, no final newline, no args',
    kind: 'claude-project',
    text: '{"mcpServers":{"books":{"command":"books"}}}',
    section: ['mcpServers'],
    words: ['books'],
  },
  {
    is: 'Claude Code: nested by project',
    kind: 'claude-code',
    text: '{\n  "numStartups": 12,\n  "projects": {\n    "/home/me/shop": {\n      "mcpServers": {\n        "books": {\n          "type": "stdio",\n          "args": [],\n          "command": "uvx"\n        }\n      }\n    }\n  }\n}',
    section: ['projects', '/home/me/shop', 'mcpServers'],
    words: ['uvx'],
  },
  {
    is: 'Claude Desktop: args before the command, escapes and other scripts',
    kind: 'claude-desktop',
    text: '{\n    "mcpServers": {\n        "books": {\n            "args": ["--titel=Käse 書 \\u00e9", "a\\"b"],\n            "command": "C:\\\\Program Files\\\\n\\u006fde.exe"\n        }\n    }\n}\n',
    section: ['mcpServers'],
    words: ['C:\\Program Files\\node.exe', '--titel=Käse 書 é', 'a"b'],
  },
  {
    is: 'Cursor: an empty list with a comment in it',
    kind: 'cursor',
    text: '{ "mcpServers": { "books": { "command": "books", "args": [ /* none */ ] } } }\n',
    section: ['mcpServers'],
    words: ['books'],
  },
  {
    is: 'Zed: among settings, command and arguments in an object of their own',
    kind: 'zed',
    text: '// Zed settings\n{\n  "theme": "One Dark",\n  "context_servers": {\n    "books": {\n      "source": "custom",\n      "command": {\n        "path": "node",\n        "args": ["server.js"],\n        "env": {}\n      },\n      "settings": {}\n    }\n  }\n}\n',
    section: ['context_servers'],
    words: ['node', 'server.js'],
  },
  {
    is: 'Zed: flat, old Mac line ends',
    kind: 'zed',
    text: '{\r "context_servers": {\r  "books": {\r   "command": "node"\r  }\r }\r}',
    section: ['context_servers'],
    words: ['node'],
  },
  {
    is: 'Windsurf: serverUrl with a query and a variable in it',
    kind: 'windsurf',
    text: '{"mcpServers": {"books": {"serverUrl": "https://books.example:8443/mcp?key=$\u007benv:KEY}", "disabled": false}}}\n',
    section: ['mcpServers'],
    url: 'https://books.example:8443/mcp?key=$\u007benv:KEY}',
  },
  {
    is: 'Cline: HTTP+SSE with escaped slashes',
    kind: 'cline',
    text: '{\n  "mcpServers": {\n    "books": {\n      "type": "sse",\n      "url": "http:\\/\\/localhost:3000\\/sse"\n    }\n  }\n}\n',
    section: ['mcpServers'],
    url: 'http://localhost:3000/sse',
  },
  {
    is: 'Cursor project: a URL of a host alone',
    kind: 'cursor-workspace',
    text: '{"mcpServers":{"books":{"url":"HTTPS://Books.Example","headers":{"Authorization":"Bearer x"}}}}',
    section: ['mcpServers'],
    url: 'HTTPS://Books.Example',
  },
];

const folders = ['/home/me/shop'];

describe.each(files)('$is', ({ kind, text, section = ['servers'], words: own, url }) => {
  const read = (source: string) =>
    parseDefinitions(source, { kind, path: 'file', folders }).definitions.find(({ name }) => name === 'books')
      ?.transport;

  it('is what its client reads', () => {
    expect(dialectOf(kind).sections(folders)).toContainEqual(section);
    expect(read(text)).toMatchObject(own === undefined ? { url } : { command: own[0], args: own.slice(1) });
  });

  it('is tapped with the server’s own words behind the tap’s', () => {
    const after = wrap(text, section);
    const transport = read(after);
    if (own !== undefined) {
      expect(transport).toEqual({ ...read(text), command: '/state/faultline/tap', args: expect.any(Array) });
      const args = transport?.type === 'stdio' ? transport.args : [];
      expect(args.map((arg) => arg.replace('cafe+', 'cafe'))).toEqual([...words, ...own]);
    } else {
      const path = url?.replace(/^https?:\/\/[^/]*/i, '');
      const { origin } = new URL(url ?? '');
      const address = new URL(transport?.type === 'http' ? transport.url : '');
      expect(transport).toMatchObject({
        url: expect.stringContaining(`http://127.0.0.1:8765${path}#tapped=0badcafe=`),
      });
      expect(address.hash.toLowerCase()).toContain(origin);
    }
    expect(findTaps(after)).toEqual([
      { id: '0badcafe', name: 'books', ...(url === undefined ? {} : { http: { port: 8765, url } }) },
    ]);
  });

  it('is the same again, byte for byte, when the tap is removed', () => {
    expect(edited(unwrapEntry(wrap(text, section), '0badcafe'))).toBe(text);
  });

  it('gets its entry back alone when the rest was edited meanwhile', () => {
    const after = wrap(text, section);
    const rest = (source: string) => source.replace(/^\uFEFF?/, '$&// new\n').replace('{', '{ "more": [1, "é"],');
    expect(edited(unwrapEntry(rest(after), '0badcafe'))).toBe(rest(text));
  });

  it('says the same as before when its client has written it anew', () => {
    const parse = (source: string) => JSON.parse(stripped(source)) as unknown;
    for (const indent of [undefined, 2, '\t']) {
      const rewritten = JSON.stringify(parse(wrap(text, section)), null, indent);
      const undone = edited(unwrapEntry(rewritten, '0badcafe'));
      expect(parse(undone)).toEqual(parse(text));
      expect(findTaps(undone)).toEqual([]);
    }
  });

  it('is the server itself for clients of our own', () => {
    const tapped = read(wrap(text, section));
    const before = read(text);
    expect(before && untappedTransport(before)).toBeUndefined();
    expect(tapped && untappedTransport(tapped)).toEqual({ id: '0badcafe', transport: before });
  });

  it('is not tapped twice', () => {
    expect(wrapEntry(wrap(text, section), { section, name: 'books' }, { ...tap, id: '1badcafe' })).toEqual({
      kind: 'refused',
      code: 'tap.edit.tapped',
      args: { name: 'books' },
    });
  });
});

/** Without what JSON has no words for; the texts above hold nothing of it in strings. */
function stripped(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\/\*.*?\*\//g, '')
    .replace(/(^|[\s,])\/\/.*$/gm, '$1')
    .replace(/,(\s*[}\]])/g, '$1');
}

describe('what could not be undone', () => {
  it.each([
    ['a syntax error', '{"servers": {"books": {"command": "x"}}', 'syntax'],
    ['nothing', '', 'syntax'],
    ['an entry that is gone', '{"servers": {}}', 'gone'],
    ['an entry that stands twice', '{"servers": {"books": {"command": "a"}, "books": {"command": "b"}}}', 'duplicate'],
    ['a section that stands twice', '{"servers": {"books": {"command": "a"}}, "servers": {}}', 'duplicate'],
    ['a command that stands twice', '{"servers": {"books": {"command": "a", "command": "b"}}}', 'duplicate'],
    ['arguments that stand twice', '{"servers": {"books": {"command": "a", "args": [], "args": []}}}', 'duplicate'],
    ['a URL that stands twice', '{"servers": {"books": {"url": "http://a", "url": "http://b"}}}', 'duplicate'],
    ['neither command nor URL', '{"servers": {"books": {"type": "stdio"}}}', 'neither'],
    ['an entry that is no object', '{"servers": {"books": "x"}}', 'neither'],
    ['both command and URL', '{"servers": {"books": {"command": "x", "url": "http://a"}}}', 'both'],
    ['a command that is no text', '{"servers": {"books": {"command": ["x"]}}}', 'notText'],
    ['an empty command', '{"servers": {"books": {"command": " "}}}', 'notText'],
    ['arguments that are no list', '{"servers": {"books": {"command": "x", "args": "y"}}}', 'notList'],
    ['an argument that is no text', '{"servers": {"books": {"command": "x", "args": [1]}}}', 'notList'],
    ['a URL that is no text', '{"servers": {"books": {"url": 1}}}', 'notText'],
    ['another scheme', '{"servers": {"books": {"url": "unix:///run/x"}}}', 'address'],
    ['a variable host', '{"servers": {"books": {"url": "https://$\u007binput:host}/mcp"}}}', 'variableAddress'],
    ['an address that is a variable', '{"servers": {"books": {"url": "$\u007binput:url}"}}}', 'address'],
    ['a fragment', '{"servers": {"books": {"url": "https://a/mcp#x"}}}', 'fragment'],
    ['a password', '{"servers": {"books": {"url": "https://me:secret@a/mcp"}}}', 'credentials'],
  ])('%s is refused with a reason', (_, text, reason) => {
    expect(wrapEntry(text, { section: ['servers'], name: 'books' }, tap)).toMatchObject({
      kind: 'refused',
      code: `tap.edit.${reason}`,
    });
  });

  it('a tap that is gone, or has lost its command, is told as such', () => {
    expect(unwrapEntry('{"servers": {}}', '0badcafe')).toMatchObject({ code: 'tap.edit.noMark' });
    expect(unwrapEntry('{"servers": {', '0badcafe')).toMatchObject({ code: 'tap.edit.syntax' });
    const cut = '{"servers": {"books": {"command": "tap", "args": ["--tapped=0badcafe", "--"]}}}';
    expect(unwrapEntry(cut, '0badcafe')).toMatchObject({ code: 'tap.edit.noCommand' });
  });

  it('words of a server that look like a mark are none', () => {
    const text = '{"servers": {"books": {"command": "x", "args": ["--", "--tapped=0badcafe"]}}}';
    expect(findTaps(text)).toEqual([]);
  });
});

describe('edits of a tapped entry', () => {
  it('are kept when the tap is removed', () => {
    const after = wrap('{"servers": {"books": {"command": "npx"}}}')
      .replace('"npx"]', '"npx", "-y", "more"]')
      .replace('"books":', '"books": // seen\n');
    expect(edited(unwrapEntry(after, '0badcafe'))).toBe(
      '{"servers": {"books": // seen\n {"command": "npx", "args": [ "-y", "more"]}}}',
    );
  });

  it('that moved its arguments elsewhere do not hinder it', () => {
    const after = '{"servers":{"books":{"args":["--tapped=0badcafe+","--","npx"],"env":{},"command":"tap"}}}';
    expect(edited(unwrapEntry(after, '0badcafe'))).toBe('{"servers":{"books":{"env":{},"command":"npx"}}}');
  });

  it('copies of it are untapped with it', () => {
    const after = wrap('{"servers": {"books": {"command": "a", "args": ["b"]}}}');
    const entry = /\{"command".*?\]\}/.exec(after)?.[0] ?? '';
    const copied = after.replace(entry, `${entry}, "copy": ${entry}`);
    expect(edited(unwrapEntry(copied, '0badcafe'))).toBe(
      '{"servers": {"books": {"command": "a", "args": ["b"]}, "copy": {"command": "a", "args": ["b"]}}}',
    );
  });
});

describe('any layout', () => {
  const random = seededRandom(20_261_130);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

  /** A file of some servers in some layout, all of it drawn by lot. */
  function anyFile(): { readonly text: string; readonly section: readonly string[]; readonly name: string } {
    const eol = pick(['\n', '\r\n', '\r']);
    const gap = () =>
      pick(['', '', ' ', '\t', eol, `${eol}\t\t`, `${eol}    `, '/* , " [ */', `// } ] é${eol}`, ` /**/ `]);
    const text = () => JSON.stringify(pick(['', 'x', '-y', 'ü 書 😀', 'a"b\\c', '--', '//', '$\u007binput:x}', '}]']));
    const list = (items: readonly string[], open: string, close: string) =>
      `${open}${items.map((item) => `${gap()}${item}${gap()}`).join(',')}${items.length > 0 && random() < 0.3 ? ',' : ''}${gap()}${close}`;
    const member = (name: string, value: string) => `${JSON.stringify(name)}${gap()}:${gap()}${value}`;
    const object = (members: readonly string[]) => list(members, '{', '}');
    const shuffled = (items: readonly string[]) =>
      items
        .map((item) => [random(), item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item);
    const many = (make: () => string) => Array.from({ length: Math.floor(random() * 4) }, make);
    const command = pick(['"npx"', '"n\\u0070x"', '"C:\\\\x.exe"', '"日本"']);
    const url = pick(['"https://a.example/mcp"', '"http:\\/\\/b:80"', '"https://[::1]:8/x?y=\\u00e9&z=/"']);
    const own =
      random() < 0.3
        ? [member(pick(['url', 'serverUrl']), url)]
        : [member('command', command), ...(random() < 0.7 ? [member('args', list(many(text), '[', ']'))] : [])];
    const others = many(() =>
      member(`env${Math.floor(random() * 1e9)}`, object(many(() => member('a', text())).slice(0, 1))),
    );
    const name = pick(['books', 'a/b', 'ü "x"', '']);
    const section = pick([['servers'], ['mcpServers'], ['projects', '/home/me', 'mcpServers']]);
    let value = object(shuffled([member(name, object(shuffled([...own, ...others]))), member(`${name}2`, '{}')]));
    for (const step of section.toReversed()) {
      value = object(shuffled([member(step, value), member(`${step}2`, text())]));
    }
    return { text: `${pick(['', '\uFEFF'])}${gap()}${value}${gap()}`, section, name };
  }

  it('comes back byte for byte, and reads as a tapped entry meanwhile', () => {
    for (let round = 0; round < 3000; round += 1) {
      const { text, section, name } = anyFile();
      const after = edited(wrapEntry(text, { section, name }, tap));
      expect(findTaps(after)).toMatchObject([{ id: '0badcafe', name }]);
      expect(edited(unwrapEntry(after, '0badcafe'))).toBe(text);
    }
  });
});
