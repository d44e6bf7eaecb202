import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FaultSource } from '../../../../src/core/passthrough/faults/faultSource.ts';
import type { ServerView } from '../../../../src/host/servers/serverService.ts';
import type { Services } from '../../../../src/host/services.ts';
import type { EventBody, LogEvent } from '../../../../src/protocol/events.ts';
import { call, ok, received, recorded, sent } from '../../core/classify/support.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';

/** A window that answers as a test says. */
const window = vi.hoisted(() => ({
  isTrusted: true,
  /** What is picked, one answer a question: the labels, or nothing. */
  answers: [] as (readonly string[] | undefined)[],
  files: [] as { readonly fsPath: string; readonly text: string }[],
  asked: [] as string[],
  errors: [] as string[],
  items: [] as {
    text: string;
    isShown: boolean;
    isDisposed: boolean;
    backgroundColor: { id: string };
    command: string;
  }[],
  contexts: {} as Record<string, unknown>,
}));

vi.mock('vscode', () => {
  const stub = vscodeStub();
  return {
    ...stub,
    QuickPickItemKind: { Separator: -1 },
    StatusBarAlignment: { Left: 1 },
    workspace: {
      get isTrusted() {
        return window.isTrusted;
      },
      findFiles: async () => window.files,
      asRelativePath: (file: { fsPath: string }) => file.fsPath,
      fs: { readFile: async (file: { text: string }) => new TextEncoder().encode(file.text) },
    },
    commands: {
      executeCommand: async (_: string, key: string, value: unknown) => {
        window.contexts[key] = value;
      },
    },
    window: {
      showQuickPick: async (items: readonly { label: string }[], { title, canPickMany }: Record<string, unknown>) => {
        window.asked.push(String(title));
        const labels = window.answers.shift();
        const picked = items.filter(({ label }) => labels?.includes(label) === true);
        return labels === undefined ? undefined : canPickMany === true ? picked : picked[0];
      },
      showErrorMessage: async (message: string) => void window.errors.push(message),
      showWarningMessage: async (message: string) => void window.errors.push(message),
      createStatusBarItem: () => {
        const item = {
          text: '',
          isShown: false,
          isDisposed: false,
          backgroundColor: { id: '' },
          command: '',
          show() {
            this.isShown = true;
          },
          dispose() {
            this.isDisposed = true;
          },
        };
        window.items.push(item);
        return item;
      },
    },
  };
});

const { FaultGate } = await import('../../../../src/host/faults/faultGate.ts');
const { injectFaults, isFaultRequest } = await import('../../../../src/host/faults/lateFaults.ts');
const { Recording } = await import('../../../../src/host/recording.ts');
const { createFileLog } = await import('../../../../src/host/sessions/fileLog.ts');
const { detailsView } = await import('../../../../src/host/timeline/detailsView.ts');
const { rowView } = await import('../../../../src/host/timeline/rowView.ts');

beforeEach(() => {
  Object.assign(window, { isTrusted: true, answers: [], files: [], asked: [], errors: [], items: [], contexts: {} });
});

const view = (name: string, kind: string, tools: readonly string[] = []) =>
  ({
    definition: { id: `settings:${name}`, name },
    state: { kind },
    tools: tools.map((tool) => ({ name: tool })),
  }) as unknown as ServerView;

const VIEWS = [view('shop', 'running', ['buy', 'look']), view('bank', 'stopped'), view('mail', 'running', ['send'])];

function scene(views: readonly ServerView[] = VIEWS) {
  const restarted: string[] = [];
  const faults = new FaultGate();
  const servers = {
    loaded: Promise.resolve(),
    views: () => views,
    restart: async (id: string) => void restarted.push(id),
  };
  const services = { servers, faults } as unknown as Services;
  return { services, faults, restarted, isFor: (server: string) => faults.source?.stdio(server) !== undefined };
}

/** Whether a call of a tool of the server meets a fault: `kill` does so without an answer. */
function isMet(source: FaultSource | undefined, server: string, tool: string): boolean {
  let isKilled = false;
  const wire = source?.stdio(server)?.({
    note: () => undefined,
    onReceived: () => undefined,
    kill: () => {
      isKilled = true;
    },
  });
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool } };
  wire?.sent(Buffer.from(`${JSON.stringify(request)}\n`));
  return isKilled;
}

const KILL = '{ "faultlineFaults": 1, "name": "Doom", "rules": [{ "fault": { "type": "kill" } }] }';

describe('Inject Faults…', () => {
  it('asks for faults, servers and tools, and connects anew what is connected', async () => {
    const { services, faults, restarted } = scene();
    window.files = [{ fsPath: 'doom.faultline-faults.json', text: KILL }];
    window.answers = [['doom.faultline-faults.json'], ['shop', 'bank'], ['buy']];
    await injectFaults(services);
    expect(window.asked).toEqual([
      'Inject which faults?',
      'Into the calls of which servers?',
      'Into the calls of which tools?',
    ]);
    expect(restarted).toEqual(['settings:shop']);
    expect(faults.banner).toBe('Faultline is injecting faults on purpose: Doom into shop, bank');
    const { source } = faults;
    expect([isMet(source, 'settings:shop', 'buy'), isMet(source, 'settings:shop', 'look')]).toEqual([true, false]);
    expect(source?.stdio('settings:mail')).toBeUndefined();
    expect(window.contexts).toEqual({ 'faultline.isInjecting': true });
  });

  it('shows a status bar item on warning colour, whose click stops it', async () => {
    const { services } = scene([view('shop', 'stopped')]);
    window.answers = [['Crash loop']];
    await injectFaults(services);
    expect(window.items).toMatchObject([
      {
        text: '$(beaker) Injecting faults: Crash loop',
        isShown: true,
        backgroundColor: { id: 'statusBarItem.warningBackground' },
        command: 'faultline.stopFaults',
      },
    ]);
  });

  it('is stopped at once, on wires that are open too', async () => {
    const { services, faults } = scene([view('shop', 'running')]);
    window.files = [{ fsPath: 'doom.faultline-faults.json', text: KILL }];
    window.answers = [['doom.faultline-faults.json']];
    await injectFaults(services);
    const { source } = faults;
    expect(isMet(source, 'settings:shop', 'buy')).toBe(true);
    faults.stop();
    expect({
      isMet: isMet(source, 'settings:shop', 'buy'),
      banner: faults.banner,
      source: faults.source,
      isGone: window.items.every(({ isDisposed }) => isDisposed),
      contexts: window.contexts,
    }).toEqual({
      isMet: false,
      banner: undefined,
      source: undefined,
      isGone: true,
      contexts: { 'faultline.isInjecting': false },
    });
  });

  it.each([
    ['nothing is chosen', [undefined]],
    ['no servers are', [['Slow tool'], undefined]],
    ['no server is', [['Slow tool'], []]],
    ['no tools are', [['Slow tool'], ['shop', 'mail'], undefined]],
    ['no tool is', [['Slow tool'], ['shop', 'mail'], []]],
  ])('does nothing when %s', async (_, answers) => {
    const { services, faults, restarted } = scene();
    window.answers = answers;
    await injectFaults(services);
    expect([faults.source, restarted, window.items]).toEqual([undefined, [], []]);
  });

  it('says what is wrong with a file and where, and injects nothing', async () => {
    const { services, faults } = scene();
    window.files = [{ fsPath: 'bad.faultline-faults.json', text: KILL.replace('kill', 'kil') }];
    window.answers = [['bad.faultline-faults.json']];
    await injectFaults(services);
    expect(faults.source).toBeUndefined();
    expect(window.errors).toEqual([
      expect.stringMatching(/^No faults are injected\. bad\.faultline-faults\.json:1:\d+: .*must be one of latency, /),
    ]);
  });

  it('is off in a workspace that is not trusted', async () => {
    const { services, faults } = scene();
    window.isTrusted = false;
    await injectFaults(services, { profile: 'crash-loop', servers: ['settings:shop'] });
    expect(faults.source).toBeUndefined();
    expect(window.asked).toEqual([]);
    expect(window.errors).toEqual([expect.stringContaining('not trusted')]);
  });

  it('asks nothing of whoever says all', async () => {
    const { services, isFor } = scene();
    await injectFaults(services, { profile: 'crash-loop', servers: ['settings:mail'] });
    expect([isFor('settings:mail'), isFor('settings:shop'), window.asked]).toEqual([true, false, []]);
    expect(isFaultRequest({ profile: 'nope', servers: [] })).toBe(false);
    expect(isFaultRequest({ profile: 'slow-tool', servers: ['a'] })).toBe(true);
    expect(isFaultRequest(undefined)).toBe(false);
  });

  it('is nothing that a new window has', () => {
    expect([new FaultGate().source, new FaultGate().banner]).toEqual([undefined, undefined]);
  });
});

describe('a row into which a fault was injected', () => {
  const note: EventBody = {
    kind: 'note',
    note: {
      type: 'injected',
      fault: 'toolError',
      rule: 'r',
      requestId: 1,
      detail: 'isError: true',
      original: { raw: '{"really":"this"}', bytes: 17 },
    },
  };
  const failed = received({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'no' }], isError: true },
  });

  async function viewsOf(events: readonly LogEvent[]) {
    const recording = new Recording(createFileLog('/a/file.faultline.jsonl', events));
    await recording.load();
    const row = recording.timeline.row(1);
    const exchange = recording.exchange(1);
    if (row === undefined || exchange === undefined) {
      throw new Error('no row');
    }
    const shown = rowView(row, 'shop', (key) => recording.exchange(key));
    const facts = {
      serverName: 'shop',
      connection: '',
      replayRefusal: '',
      definition: undefined,
      canEditReplay: false,
    };
    return { shown, details: detailsView(recording, shown, exchange, [], facts) };
  }

  it('names the fault, says first whose doing it was, and keeps what the server said', async () => {
    const { shown, details } = await viewsOf(recorded([sent(call(1, 'pay')), note, failed]));
    expect(shown.marks).toEqual([{ mark: 'injected_fault', text: 'injected: isError flipped' }]);
    expect(details.why.signals[0]?.text).toBe('Faultline injected: isError flipped (isError: true)');
    expect(details.why.signals[1]?.text).toContain('isError');
    expect(details.related.map(({ text }) => text)).toEqual([
      'Faultline injected: isError flipped (isError: true) · the server really answered: {"really":"this"}',
    ]);
  });

  it('is told from one that had none', async () => {
    const { shown, details } = await viewsOf(recorded([sent(call(1, 'pay')), received(ok(1))]));
    expect(shown.marks).toEqual([]);
    expect(details.why.signals.map(({ text }) => text)).not.toContainEqual(expect.stringContaining('injected'));
  });
});
