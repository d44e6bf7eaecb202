import type { HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import type { Copied, CopySource } from './copySource.ts';
import { type TestCall, testCall } from './expectation.ts';
import { expressionOf, JAVASCRIPT, jsString, literal } from './literals.ts';
import { EnvNames } from './parts.ts';

const SDK = '@modelcontextprotocol/sdk';

/** A vitest test of its own that makes the call by the official SDK's client and asks for what was recorded. */
export function copyAsVitest(source: CopySource): Copied {
  const test = testCall(source);
  if ('refusal' in test) {
    return test;
  }
  const { call, transport } = test;
  const env = new EnvNames();
  const made = transportOf(transport, env);
  const { expression, imported } = requestOf(call, env);
  const name = `${String(call.params['name'] ?? call.params['uri'] ?? call.method)}: ${source.outcome ?? ''}, as recorded`;
  const lines = [
    `import { Client } from '${SDK}/client/index.js';`,
    made.imports,
    ...imported,
    `import { expect, it } from 'vitest';`,
    '',
    `it(${jsString(name)}, async () => {`,
    `  const client = new Client({ name: 'recorded', version: '1.0.0' });`,
    `  await client.connect(${made.expression});`,
    '  try {',
    ...assertions(call, expression, source, env),
    '  } finally {',
    '    await client.close();',
    '  }',
    '});',
    '',
  ];
  return { text: lines.join('\n'), env: env.names };
}

function transportOf(transport: StdioDefinition | HttpDefinition, env: EnvNames) {
  const inDefinition = (text: string, owner: string) =>
    expressionOf(env.partsOf(text, owner, 'definition'), JAVASCRIPT);
  if (transport.type === 'stdio') {
    const names = Object.keys(transport.env);
    for (const name of names) {
      env.note(name);
    }
    const variables = names.map((name) => `${JAVASCRIPT.key(name)}: process.env[${jsString(name)}] ?? ''`);
    const cwd = transport.cwd === undefined ? [] : [`      cwd: ${inDefinition(transport.cwd, 'cwd')},`];
    return {
      imports: `import { ${names.length > 0 ? 'getDefaultEnvironment, ' : ''}StdioClientTransport } from '${SDK}/client/stdio.js';`,
      expression: [
        '',
        '    new StdioClientTransport({',
        `      command: ${inDefinition(transport.command, 'command')},`,
        `      args: [${transport.args.map((arg) => inDefinition(arg, 'argument')).join(', ')}],`,
        ...(names.length > 0 ? [`      env: { ...getDefaultEnvironment(), ${variables.join(', ')} },`] : []),
        ...cwd,
        '    }),',
        '  ',
      ].join('\n'),
    };
  }
  const headers = Object.keys(transport.headers).map(
    (name) =>
      // The value of a header is as good as a secret, whatever it is called.
      `${JAVASCRIPT.key(name)}: ${JAVASCRIPT.env(env.nameOf(`header ${name}`, name))}`,
  );
  const type = transport.isLegacySse === true ? 'SSEClientTransport' : 'StreamableHTTPClientTransport';
  const options = headers.length === 0 ? '' : `, { requestInit: { headers: { ${headers.join(', ')} } } }`;
  return {
    imports: `import { ${type} } from '${SDK}/client/${transport.isLegacySse === true ? 'sse' : 'streamableHttp'}.js';`,
    expression: `new ${type}(new URL(${inDefinition(transport.url, 'url')})${options})`,
  };
}

const METHODS: Readonly<Record<string, string>> = {
  'tools/call': 'callTool',
  'resources/read': 'readResource',
  'prompts/get': 'getPrompt',
};

function requestOf({ method, params, expected }: TestCall, env: EnvNames) {
  const sent = literal(params, { language: JAVASCRIPT, indent: 4, env });
  const options = expected.kind === 'timeout' ? `{ timeout: ${expected.limitMs} }` : undefined;
  const own = METHODS[method];
  if (own !== undefined) {
    const more = options === undefined ? '' : `${method === 'tools/call' ? ', undefined' : ''}, ${options}`;
    return { expression: `client.${own}(${sent}${more})`, imported: [] };
  }
  const request = `{ method: ${jsString(method)}, params: ${sent} }`;
  return {
    expression: `client.request(${request}, ResultSchema${options === undefined ? '' : `, ${options}`})`,
    imported: [`import { ResultSchema } from '${SDK}/types.js';`],
  };
}

/** -32001 is the number that the SDK's client gives to its own timeout. */
const SDK_TIMEOUT = -32001;

function assertions(
  { expected }: TestCall,
  expression: string,
  { isVolatile }: CopySource,
  env: EnvNames,
): readonly string[] {
  switch (expected.kind) {
    case 'result':
      return [
        `    const result = await ${expression};`,
        ...(expected.isError === undefined ? [] : [`    expect(result.isError ?? false).toBe(${expected.isError});`]),
        ...expected.members.map(
          ([name, value]) =>
            `    expect(result[${jsString(name)}]).toEqual(${literal(value, { language: JAVASCRIPT, indent: 4, env, isVolatile }, name)});`,
        ),
      ];
    case 'refused':
      return [`    await expect(${expression}).rejects.toMatchObject({ code: ${expected.code} });`];
    case 'timeout':
      return [`    await expect(${expression}).rejects.toMatchObject({ code: ${SDK_TIMEOUT} });`];
    case 'failed':
      return [`    await expect(${expression}).rejects.toThrow();`];
  }
}
