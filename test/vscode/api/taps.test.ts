import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { timelineText, until } from './support.ts';

type Picker = (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => unknown;

const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const extensionFolder = () => vscode.extensions.getExtension('faultline.faultline')?.extensionPath ?? '';

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const initialize = (name: string) =>
  line({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
  });

describe('taps', () => {
  const window = vscode.window as { -readonly [K in keyof typeof vscode.window]: (typeof vscode.window)[K] };
  const { showQuickPick, showWarningMessage, showErrorMessage, showInformationMessage } = vscode.window;
  const { XDG_STATE_HOME: stateBefore } = process.env;
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-taps-'));
  const questions: string[] = [];
  let pick: Picker = () => undefined;

  before(async () => {
    process.env['XDG_STATE_HOME'] = scratch;
    await vscode.extensions.getExtension('faultline.faultline')?.activate();
    window.showQuickPick = (async (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) =>
      pick(await items, options)) as unknown as typeof showQuickPick;
    const agree = (async (message: string, ...rest: unknown[]) => {
      questions.push(message);
      return rest.find((each) => typeof each === 'string');
    }) as unknown as typeof showWarningMessage;
    window.showWarningMessage = agree;
    const note = (async (message: string) => {
      questions.push(message);
    }) as unknown as typeof showErrorMessage;
    window.showErrorMessage = note;
    window.showInformationMessage = note;
  });

  after(async () => {
    Object.assign(window, { showQuickPick, showWarningMessage, showErrorMessage, showInformationMessage });
    await vscode.workspace
      .getConfiguration('faultline')
      .update('tap.offerToAgent', undefined, vscode.ConfigurationTarget.Global);
    if (stateBefore === undefined) {
      delete process.env['XDG_STATE_HOME'];
    } else {
      process.env['XDG_STATE_HOME'] = stateBefore;
    }
    rmSync(scratch, { recursive: true, force: true });
  });

  const configuration = () => path.join(folder(), '.cursor', 'mcp.json');
  const server = () => [process.execPath, path.join(extensionFolder(), 'test/servers/wellBehaved.mjs')];
  const written = (name: string) => {
    const [command, script] = server();
    return `// mine\r\n{\r\n\t"mcpServers": {\r\n\t\t"${name}": {\r\n\t\t\t"command": ${JSON.stringify(command)}, // node\r\n\t\t\t"args": [ ${JSON.stringify(script)}, ]\r\n\t\t}\r\n\t}\r\n}`;
  };

  function define(text: string): void {
    mkdirSync(path.dirname(configuration()), { recursive: true });
    writeFileSync(configuration(), text);
  }

  /** Runs the command when it offers an entry of that name, and answers what follows. */
  async function run(command: string, name: string, answer: 0 | 1): Promise<{ tab: string | undefined }> {
    let tab: string | undefined;
    await until(
      async () => {
        let wasOffered = false;
        pick = (items) => {
          const found = items.find(({ label }) => label === name);
          if (found !== undefined) {
            wasOffered = true;
            return found;
          }
          const isQuestion = items.some(({ label }) => label.startsWith('$(check)'));
          if (isQuestion) {
            tab = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
          }
          return isQuestion ? items[answer] : undefined;
        };
        await vscode.commands.executeCommand(command);
        return wasOffered;
      },
      (wasOffered) => wasOffered,
    );
    return { tab };
  }

  it('leave a configuration alone when the preview is refused', async () => {
    // VS Code may not watch a folder yet that was made just now, and may not hear of what was written there first.
    await until(
      async () => {
        define(written('shelf'));
        let labels: readonly string[] = [];
        pick = (items) => {
          labels = items.map(({ label }) => label);
        };
        await vscode.commands.executeCommand('faultline.tapServer');
        return labels;
      },
      (labels) => labels.includes('shelf'),
    );
    const { tab } = await run('faultline.tapServer', 'shelf', 1);
    assert.match(tab ?? '', /shelf/);
    assert.equal(readFileSync(configuration(), 'utf8'), written('shelf'));
    // The diff that was shown is gone again.
    assert.ok(!vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => label === tab));
  });

  it('stand in the configuration when it is agreed to, start the server, and are seen on the timeline', async () => {
    define(written('shelf'));
    await run('faultline.tapServer', 'shelf', 0);
    const text = readFileSync(configuration(), 'utf8');
    assert.match(text, /^\/\/ mine\r\n/);
    const entry = JSON.parse(text.replace(/\/\/.*/g, '').replaceAll(', ]', ']')).mcpServers.shelf;
    assert.deepEqual(entry.args.slice(-2), server());
    const client = spawn(entry.command, entry.args, { env: process.env, stdio: ['pipe', 'pipe', 'inherit'] });
    client.stdin.write(initialize('somebody'));
    const [answer] = await once(client.stdout, 'data');
    assert.equal(JSON.parse(String(answer)).id, 1);
    await until(timelineText, (said) => /shelf.*initialize/.test(said));
    client.stdin.end();
    const [code] = await once(client, 'exit');
    assert.equal(code, 0);
  });

  it('are taken out again, byte for byte', async () => {
    await run('faultline.removeTap', 'shelf', 0);
    assert.equal(readFileSync(configuration(), 'utf8'), written('shelf'));
    await run('faultline.tapServer', 'shelf', 0);
    assert.notEqual(readFileSync(configuration(), 'utf8'), written('shelf'));
    questions.length = 0;
    await vscode.commands.executeCommand('faultline.removeAllTaps');
    assert.match(questions[0] ?? '', /1 tap/);
    assert.equal(readFileSync(configuration(), 'utf8'), written('shelf'));
  });

  it('say why they cannot be put somewhere', async () => {
    const twice = written('shelf').replace('\t}\r\n}', '\t\t,"shelf": {"command": "x"}\r\n\t}\r\n}');
    define(twice);
    await run('faultline.tapServer', 'shelf', 0);
    questions.length = 0;
    await until(
      async () => {
        await run('faultline.tapServer', 'shelf', 0);
        return questions;
      },
      (said) => said.some((message) => /stands twice/.test(message)),
    );
    assert.equal(readFileSync(configuration(), 'utf8'), twice);
    define(written('shelf'));
  });

  it('stand before a remote server, on a port that stays', async () => {
    const paths: (string | undefined)[] = [];
    const remote = createServer((request: IncomingMessage, response) => {
      paths.push(request.url);
      request.resume();
      response.setHeader('content-type', 'application/json');
      response.end(
        line({
          id: 1,
          result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'far', version: '1' } },
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(remote, 'listening');
    const { port } = remote.address() as AddressInfo;
    const original = `{"mcpServers":{"far":{"url":"http://127.0.0.1:${port}/mcp?shelf=1"}}}`;
    define(original);
    try {
      await run('faultline.tapServer', 'far', 0);
      const { url } = JSON.parse(readFileSync(configuration(), 'utf8')).mcpServers.far;
      assert.match(url, /^http:\/\/127\.0\.0\.1:2\d{4}\/mcp\?shelf=1#tapped=/);
      const response = await until(
        () =>
          fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
            body: initialize('remote client'),
          }).catch(() => undefined),
        (answered) => answered !== undefined,
      );
      assert.ok(response !== undefined);
      assert.equal(((await response.json()) as { id: number }).id, 1);
      assert.deepEqual(paths, ['/mcp?shelf=1']);
      await until(timelineText, (said) => /far.*initialize/.test(said));
      await run('faultline.removeTap', 'far', 0);
      assert.equal(readFileSync(configuration(), 'utf8'), original);
      // Nobody listens any more.
      await until(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        (isListening) => !isListening,
      );
    } finally {
      remote.close();
    }
  });

  it('are offered to the agent of VS Code, which starts the server through them', async () => {
    define(written('offered'));
    pick = (items) => items.filter(({ label }) => label === 'offered');
    await until(
      async () => {
        await vscode.commands.executeCommand('faultline.offerTapped');
        return vscode.workspace.getConfiguration('faultline').get<string[]>('tap.offerToAgent') ?? [];
      },
      (names) => names.includes('offered'),
    );
    await until(
      async () => {
        await vscode.commands.executeCommand('workbench.mcp.startServer', 'faultline.faultline/offered (tapped)', {
          autoTrustChanges: true,
        });
        return timelineText();
      },
      (said) => /offered.*tools\/list/.test(said) && /offered.*initialize/.test(said),
    );
  });

  it('are offered of remote servers too, behind a token that the server does not see, and follow their definition', async () => {
    const seen: string[] = [];
    const remote = createServer(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}') as {
        id?: number;
        method?: string;
      };
      seen.push(`${request.url} ${body.method} ${request.headers['faultline-token'] ?? 'no token'}`);
      response.setHeader('content-type', 'application/json');
      const serverInfo = { name: 'far', version: '1' };
      const results: Readonly<Record<string, object>> = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
        'tools/list': { tools: [] },
      };
      const result = results[body.method ?? ''];
      response.statusCode = result === undefined ? 202 : 200;
      response.end(result === undefined ? '' : line({ id: body.id, result }));
    }).listen(0, '127.0.0.1');
    await once(remote, 'listening');
    const { port } = remote.address() as AddressInfo;
    try {
      for (const shelf of ['one', 'two']) {
        define(JSON.stringify({ mcpServers: { offered: { url: `http://127.0.0.1:${port}/${shelf}` } } }));
        await until(
          async () => {
            await vscode.commands.executeCommand('workbench.mcp.stopServer', 'faultline.faultline/offered (tapped)');
            await vscode.commands.executeCommand('workbench.mcp.startServer', 'faultline.faultline/offered (tapped)', {
              autoTrustChanges: true,
            });
            return seen;
          },
          (requests) => requests.includes(`/${shelf} initialize no token`),
        );
      }
      await until(timelineText, (said) => said.split('\n').filter((row) => /offered.*initialize/.test(row)).length > 2);
    } finally {
      remote.close();
      remote.closeAllConnections();
    }
  });
});
