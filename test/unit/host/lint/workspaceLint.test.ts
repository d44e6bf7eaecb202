import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { EngineHost, LintInput } from '../../../../src/host/lint/engineHost.ts';
import type { FindingStore, LintedFile } from '../../../../src/host/lint/findingStore.ts';
import type { LintResult } from '../../../../src/lint/engine.ts';

const SERVER = 'from fastmcp import FastMCP\n';
const FILES = 50;

/** As much of a URI as is used here. */
class FakeUri {
  readonly scheme = 'file';
  readonly path: string;

  constructor(file: string) {
    this.path = file;
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

interface Token {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): void;
}

/** The notification with its button, and what was said in it. */
const notification = {
  listeners: [] as (() => void)[],
  messages: [] as string[],
  increments: 0,
  options: undefined as unknown,
  cancel(): void {
    for (const listener of notification.listeners) {
      listener();
    }
  },
};
const watchers: string[] = [];

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  ProgressLocation: { Notification: 15 },
  RelativePattern: class {},
  Uri: { joinPath: (base: FakeUri, ...parts: readonly string[]) => new FakeUri(path.posix.join(base.path, ...parts)) },
  window: {
    withProgress: (options: unknown, task: (progress: unknown, token: Token) => unknown) => {
      notification.options = options;
      return task(
        {
          report: ({ message, increment }: { message: string; increment: number }) => {
            notification.messages.push(message);
            notification.increments += increment;
          },
        },
        {
          isCancellationRequested: false,
          onCancellationRequested: (listener) => void notification.listeners.push(listener),
        },
      );
    },
  },
  workspace: {
    textDocuments: [],
    workspaceFolders: [{ uri: new FakeUri('/work') }],
    asRelativePath: ({ path: file }: FakeUri) => file.slice('/work/'.length),
    findFiles: async () => Array.from({ length: FILES }, (_, index) => new FakeUri(`/work/server${index}.py`)),
    getConfiguration: () => ({ get: () => true, inspect: () => ({ defaultValue: true }) }),
    createFileSystemWatcher: (glob: string) => {
      watchers.push(glob);
      return { onDidChange: () => undefined, onDidDelete: () => undefined, dispose: () => undefined };
    },
    fs: {
      stat: async () => ({}),
      readFile: async (uri: FakeUri) => {
        if (uri.path.endsWith('.py')) {
          return new TextEncoder().encode(SERVER);
        }
        throw new Error('not found');
      },
    },
  },
}));
const { WorkspaceLint } = await import('../../../../src/host/lint/workspaceLint.ts');

/** A run whose engine does `during` for each file. */
function runWith(during: (count: number) => void) {
  notification.listeners.length = 0;
  notification.messages.length = 0;
  notification.increments = 0;
  watchers.length = 0;
  const linted: LintInput[] = [];
  const kept: LintedFile[] = [];
  const engine: Pick<EngineHost, 'lint'> = {
    async lint(input: LintInput, signal: AbortSignal): Promise<LintResult> {
      linted.push(input);
      during(linted.length);
      return signal.aborted ? { kind: 'skipped', reason: 'cancelled' } : { kind: 'linted', findings: [], tools: [] };
    },
  };
  const findings: Pick<FindingStore, 'get' | 'set' | 'delete'> = {
    get: () => undefined,
    set: (file) => void kept.push(file),
    delete: () => undefined,
  };
  const lint = new WorkspaceLint(engine as EngineHost, findings as FindingStore);
  return { lint, linted, kept };
}

describe('linting the workspace', () => {
  it('tells how far it is, file by file, and follows the files afterwards', async () => {
    const { lint, linted, kept } = runWith(() => undefined);
    expect(await lint.run('lint')).toEqual({ files: FILES, isComplete: true });
    expect(notification.options).toMatchObject({ cancellable: true });
    expect([linted.length, kept.length, notification.messages.length]).toEqual([FILES, FILES, FILES]);
    expect(notification.messages[0]).toBe('server0.py');
    expect(notification.increments).toBeCloseTo(100);
    expect(linted.every(({ isEdited }) => !isEdited)).toBe(true);
    expect([lint.isFollowing, watchers.length]).toEqual([true, 1]);
    lint.dispose();
  });

  it('takes no further file once it is cancelled, keeps what it has, and does not follow', async () => {
    const { lint, linted, kept } = runWith((count) => {
      if (count === 10) {
        notification.cancel();
      }
    });
    expect(await lint.run('lint')).toEqual({ files: FILES, isComplete: false });
    // Those that were being read when it was cancelled may still reach the engine, which refuses them.
    expect(linted.length).toBeLessThanOrEqual(13);
    expect(kept.length).toBeLessThan(10);
    expect([lint.isFollowing, watchers.length]).toEqual([false, 0]);
    lint.dispose();
  });
});
