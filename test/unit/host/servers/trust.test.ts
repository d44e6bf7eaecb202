import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerDefinition } from '../../../../src/protocol/definition.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';

const scene = vi.hoisted(() => ({
  isTrusted: true,
  answer: undefined as string | undefined,
  asked: [] as { readonly text: string; readonly detail: string }[],
}));

vi.mock('vscode', () => ({
  ...vscodeStub(),
  workspace: {
    get isTrusted() {
      return scene.isTrusted;
    },
  },
  window: {
    showWarningMessage: (text: string, options?: { detail?: string }) => {
      if (options?.detail !== undefined) {
        scene.asked.push({ text, detail: options.detail });
      }
      return Promise.resolve(scene.answer);
    },
  },
  commands: { executeCommand: () => Promise.resolve(undefined) },
}));

const { TrustGate } = await import('../../../../src/host/servers/trust.ts');

function gate() {
  const kept = new Map<string, unknown>();
  return new TrustGate({
    keys: () => [...kept.keys()],
    get: (key: string, byDefault?: unknown) => kept.get(key) ?? byDefault,
    update: (key: string, value: unknown) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  } as ConstructorParameters<typeof TrustGate>[0]);
}

function definition(command: string, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return {
    id: 'vscode-mcp-json:books' as ServerId,
    name: 'books',
    source: { kind: 'vscode-mcp-json', path: '/w/.vscode/mcp.json' },
    transport: { type: 'stdio', command, args: ['server.js'], env: {} },
    isTrusted: false,
    ...more,
  };
}

describe('before a server is started', () => {
  beforeEach(() => {
    Object.assign(scene, { isTrusted: true, answer: 'Start', asked: [] });
  });

  it('a folder that is not trusted gets none, and nobody is asked', async () => {
    scene.isTrusted = false;
    expect(await gate().allows([definition('node')])).toBe(false);
    expect(await gate().allows([definition('node', { source: { kind: 'settings' } })])).toBe(false);
    expect(scene.asked).toEqual([]);
  });

  it('what a file says is shown and asked about once, and again when it has changed', async () => {
    const one = gate();
    expect(await one.allows([definition('node')])).toBe(true);
    expect(await one.allows([definition('node')])).toBe(true);
    expect(await one.allows([definition('python')])).toBe(true);
    expect(scene.asked.map(({ detail }) => detail)).toEqual([
      'books: node server.js — /w/.vscode/mcp.json',
      'books: python server.js — /w/.vscode/mcp.json',
    ]);
  });

  it('what is not agreed to stays out', async () => {
    scene.answer = undefined;
    expect(await gate().allows([definition('node')])).toBe(false);
  });

  it('what would read as another definition is shown as what it is', async () => {
    await gate().allows([definition('node\u202egnp.exe\nother: harmless', { name: 'a\u0007b\nbooks: ls' })]);
    const [{ detail } = { detail: '' }] = scene.asked;
    expect(detail).toContain('\\u202e');
    expect(detail).toContain('\\u0007');
    expect(detail.split('\n')).toHaveLength(1);
  });
});
