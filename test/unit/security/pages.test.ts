import { describe, expect, it, vi } from 'vitest';
import { vscodeStub } from '../support/vscodeStub.ts';

const handler = vi.hoisted(() => ({ handleUri: (_: unknown): void => undefined }));

vi.mock('vscode', () => ({
  ...vscodeStub(),
  env: {
    language: 'en',
    uriScheme: 'vscode',
    asExternalUri: (uri: unknown) => Promise.resolve(uri),
    openExternal: () => Promise.resolve(true),
  },
  Uri: {
    joinPath: (base: string, ...parts: readonly string[]) => [base, ...parts].join('/'),
    from: ({ scheme, authority, path }: Record<string, string>) => ({
      toString: () => `${scheme}://${authority}${path}`,
    }),
    parse: (text: string) => text,
  },
  workspace: { isTrusted: true, getConfiguration: () => ({ get: () => undefined }) },
  window: {
    registerUriHandler: (given: typeof handler) => {
      handler.handleUri = given.handleUri;
      return { dispose: () => undefined };
    },
    showInformationMessage: (_text: string, _options: unknown, open: string) => Promise.resolve(open),
  },
}));

const { timelineHtml, webviewOptions } = await import('../../../src/host/timeline/html.ts');
const { SignIn } = await import('../../../src/host/servers/signIn.ts');

describe('the timeline page', () => {
  const webview = { cspSource: 'https://own', asWebviewUri: (uri: string) => uri };
  const page = () =>
    timelineHtml(
      webview as unknown as Parameters<typeof timelineHtml>[0],
      '/ext' as unknown as Parameters<typeof timelineHtml>[1],
      'editor',
    );

  it('loads nothing but the bundle of its own, by a nonce that is new each time', () => {
    const [first, second] = [page(), page()];
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(first) ?? [];
    const [, nonce = ''] = /script nonce="([^"]+)"|nonce="([^"]+)"/.exec(first)?.filter((each) => each) ?? [];
    expect(nonce).toMatch(/^[\w+/]{24}$/);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      'style-src https://own',
      'font-src https://own',
      'img-src https://own',
    ]);
    expect(second).not.toContain(nonce);
    expect(first.match(/<script/g)).toHaveLength(1);
    expect(first).not.toMatch(/unsafe-|style="| on\w+=/);
  });

  it('reads no folder but that of the bundle', () => {
    const options = webviewOptions('/ext' as unknown as Parameters<typeof webviewOptions>[0]);
    expect(options).toEqual({ enableScripts: true, localResourceRoots: ['/ext/dist'] });
  });
});

describe('the address of this extension that a browser can open', () => {
  it('does nothing for a state that nobody waits for, nor under another path', async () => {
    const values = { secret: () => Promise.resolve(undefined), setSecret: () => Promise.resolve() };
    const signIn = await SignIn.open(values as unknown as Parameters<typeof SignIn.open>[0], 'faultline.faultline');
    const visit = (path: string, query: string) => handler.handleUri({ path, query });
    const { waiting } = signIn as unknown as { waiting: Map<string, (parameters: URLSearchParams) => void> };
    const taken: string[] = [];
    waiting.set('state-1', (parameters) => taken.push(parameters.get('code') ?? ''));
    visit('/oauth', '');
    visit('/oauth', 'state=&code=a');
    visit('/oauth', 'state=state-2&code=b');
    visit('/oauth', 'state=__proto__&code=c');
    visit('/run', 'state=state-1&code=d');
    visit('/oauth/', 'state=state-1&code=e');
    expect(taken).toEqual([]);
    visit('/oauth', 'state=state-1&code=f');
    expect(taken).toEqual(['f']);
    signIn.dispose();
  });
});
