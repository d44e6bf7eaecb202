import type { HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { Copied, CopySource } from './copySource.ts';
import { type TestCall, testCall } from './expectation.ts';
import { expressionOf, literal, PYTHON, pyString } from './literals.ts';
import { EnvNames } from './parts.ts';

/** A pytest test of its own that makes the call by the official SDK's client (`mcp` 1.x) and asks for what was recorded. */
export function copyAsPytest(source: CopySource): Copied {
  const test = testCall(source);
  if ('refusal' in test) {
    return test;
  }
  const { call, transport } = test;
  const env = new EnvNames();
  const request = requestOf(call, env);
  if (request === undefined) {
    return { refusal: 'copy.refused.noPython' };
  }
  const made = transportOf(transport, env);
  const body = assertions(call, request, source, env);
  const text = [...made.opening, ...body].join('\n');
  const wanted = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const standard = [
    ...(wanted('os') ? ['import os'] : []),
    ...(wanted('timedelta') ? ['from datetime import timedelta'] : []),
    ...(wanted('ANY') ? ['from unittest.mock import ANY'] : []),
  ];
  const names = ['ClientSession', 'McpError', 'StdioServerParameters'].filter(
    (name) => name === 'ClientSession' || wanted(name),
  );
  const lines = [
    ...standard,
    ...(standard.length > 0 ? [''] : []),
    'import anyio',
    ...(wanted('pytest') ? ['import pytest'] : []),
    `from mcp import ${names.join(', ')}`,
    made.imported,
    ...(wanted('AnyUrl') ? ['from pydantic import AnyUrl'] : []),
    '',
    '',
    `def test_${identifier(String(call.params['name'] ?? call.method))}_${source.outcome ?? ''}() -> None:`,
    '    async def call() -> None:',
    ...made.opening,
    '            async with ClientSession(read, write) as session:',
    '                await session.initialize()',
    ...body,
    '',
    '    anyio.run(call)',
    '',
  ];
  return { text: lines.join('\n'), env: env.names };
}

function identifier(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

function transportOf(transport: StdioDefinition | HttpDefinition, env: EnvNames) {
  const inDefinition = (text: string, owner: string) => expressionOf(env.partsOf(text, owner, 'definition'), PYTHON);
  if (transport.type === 'stdio') {
    const names = Object.keys(transport.env);
    for (const name of names) {
      env.note(name);
    }
    const variables = names.map((name) => `${pyString(name)}: os.environ[${pyString(name)}]`);
    return {
      imported: 'from mcp.client.stdio import stdio_client',
      opening: [
        '        server = StdioServerParameters(',
        `            command=${inDefinition(transport.command, 'command')},`,
        `            args=[${transport.args.map((arg) => inDefinition(arg, 'argument')).join(', ')}],`,
        ...(names.length > 0 ? [`            env={**os.environ, ${variables.join(', ')}},`] : []),
        ...(transport.cwd === undefined ? [] : [`            cwd=${inDefinition(transport.cwd, 'cwd')},`]),
        '        )',
        '        async with stdio_client(server) as (read, write):',
      ],
    };
  }
  const headers = Object.keys(transport.headers).map(
    (name) => `${pyString(name)}: ${PYTHON.env(env.nameOf(`header ${name}`, name))}`,
  );
  const isSse = transport.isLegacySse === true;
  const client = isSse ? 'sse_client' : 'streamablehttp_client';
  const given = [
    inDefinition(transport.url, 'url'),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
  ];
  return {
    imported: `from mcp.client.${isSse ? 'sse' : 'streamable_http'} import ${client}`,
    opening: [`        async with ${client}(${given.join(', ')}) as (read, write${isSse ? '' : ', _'}):`],
  };
}

function requestOf({ method, params, expected }: TestCall, env: EnvNames): string | undefined {
  const sent = (value: JsonValue | undefined) => literal(value ?? {}, { language: PYTHON, indent: 16, env });
  switch (method) {
    case 'tools/call': {
      const limit =
        expected.kind === 'timeout' ? `, read_timeout_seconds=timedelta(milliseconds=${expected.limitMs})` : '';
      return `session.call_tool(${sent(params['name'])}, ${sent(params['arguments'])}${limit})`;
    }
    case 'resources/read':
      return `session.read_resource(AnyUrl(${sent(params['uri'])}))`;
    case 'prompts/get':
      return `session.get_prompt(${sent(params['name'])}, ${sent(params['arguments'])})`;
    default:
      return undefined;
  }
}

const PAD = ' '.repeat(16);

const STRUCTURED = 'structuredContent';

function assertions(
  { expected }: TestCall,
  request: string,
  { isVolatile }: CopySource,
  env: EnvNames,
): readonly string[] {
  if (expected.kind !== 'result') {
    const isNamed = expected.kind === 'refused';
    return [
      `${PAD}with pytest.raises(${expected.kind === 'failed' ? 'Exception' : 'McpError'})${isNamed ? ' as raised' : ''}:`,
      `${PAD}    await ${request}`,
      ...(isNamed ? [`${PAD}assert raised.value.error.code == ${expected.code}`] : []),
    ];
  }
  const isDumped = expected.members.some(([name]) => name !== STRUCTURED);
  return [
    `${PAD}result = await ${request}`,
    ...(expected.isError === undefined ? [] : [`${PAD}assert ${expected.isError ? '' : 'not '}result.isError`]),
    ...(isDumped ? [`${PAD}answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)`] : []),
    ...expected.members.map(([name, value]) => {
      // Members that are null are left out by the dump; structured content is data already.
      const isData = name === STRUCTURED;
      const options = { language: PYTHON, indent: 16, env, isVolatile };
      const wanted = literal(isData ? value : withoutNulls(value), options, name);
      return `${PAD}assert ${isData ? 'result.structuredContent' : `answer[${pyString(name)}]`} == ${wanted}`;
    }),
  ];
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = Object.entries(value as JsonObject).filter(([, item]) => item !== null);
  return Object.fromEntries(members.map(([name, item]) => [name, withoutNulls(item)]));
}
