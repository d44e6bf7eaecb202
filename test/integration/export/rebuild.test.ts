import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleFolder, scenarios, startRecording } from '../../golden/liveRecording.ts';
import { runCli } from '../cli/runCli.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-rebuild-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Plays a scenario into a log; gives what a window would have shown at its end. */
async function recordLive(name: string): Promise<{ readonly log: string; readonly live: string }> {
  const scenario = scenarios[name]?.();
  if (scenario === undefined) {
    throw new Error(name);
  }
  const files = sampleFolder();
  const log = path.join(folder, `${name}.sqlite`);
  const recording = startRecording(log, await scenario.definitions(files));
  try {
    await scenario.play(recording, files);
    await recording.end();
    return { log, live: recording.liveText() };
  } finally {
    scenario.stop?.();
    recording.log.dispose();
    rmSync(files, { recursive: true });
  }
}

const show = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runCli(['show', ...args], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('what was shown live', () => {
  it.each(['demo', 'everything'])(
    'of %s is rebuilt byte for byte, from the log and from an exported session',
    async (name) => {
      const { log, live } = await recordLive(name);
      expect(live.split('\n').length).toBeGreaterThan(8);
      expect(await show('s1', '--log', log)).toBe(live);
      expect(await show('s1', '--log', log, '--rebuild')).toBe(live);
      const file = path.join(folder, `${name}.faultline.jsonl`);
      const { code } = await runCli(['export', 's1', '--log', log, '-o', file]);
      expect(code).toBe(0);
      expect(await show(file)).toBe(live);
      expect(await show(file, '--rebuild')).toBe(live);
    },
  );
});

describe('faultline export', () => {
  const golden = path.resolve(import.meta.dirname, '../../fixtures/golden/sessions');
  const demo = path.join(golden, 'demo.faultline.jsonl');
  const lines = (text: string) => text.trimEnd().split('\n');

  it('gives a session file back as it was, but for who wrote it when', async () => {
    const { code, stdout } = await runCli(['export', demo]);
    expect(code).toBe(0);
    expect(lines(stdout).slice(1, -1)).toEqual(lines(readFileSync(demo, 'utf8')).slice(1, -1));
    expect(JSON.parse(lines(stdout)[0] ?? '')).toMatchObject({
      faultlineSession: 1,
      sessions: [{ id: 's1', name: 'demo' }],
    });
  });

  it('writes a file that may be the one that it reads', async () => {
    const file = path.join(folder, 'same.faultline.jsonl');
    writeFileSync(file, readFileSync(demo));
    const { code } = await runCli(['export', file, '-o', file]);
    expect(code).toBe(0);
    expect(lines(readFileSync(file, 'utf8')).slice(1, -1)).toEqual(lines(readFileSync(demo, 'utf8')).slice(1, -1));
  });

  it('writes HAR with the JSON-RPC of each exchange', async () => {
    const { code, stdout } = await runCli(['export', demo, '--format', 'har']);
    expect(code).toBe(0);
    const { entries } = JSON.parse(stdout).log;
    expect(entries.length).toBeGreaterThan(5);
    const call = entries.find((entry: { response: { status: number } }) => entry.response.status === 503);
    expect(JSON.parse(call.request.postData.text)).toMatchObject({ method: 'tools/call' });
  });

  it('replaces secrets once more where it is asked to, and in every bug report', async () => {
    const file = path.join(folder, 'secret.faultline.jsonl');
    const secret = `ghp_${'0123456789abcdefABCDEF0123456789abcd'}`;
    const text = readFileSync(demo, 'utf8').replaceAll('Frank Herbert', secret);
    expect(text).toContain(secret);
    writeFileSync(file, text);
    expect((await runCli(['export', file])).stdout).toContain(secret);
    const { stdout } = await runCli(['export', file, '--redact']);
    expect(stdout).not.toContain(secret);
    expect(JSON.parse(lines(stdout)[0] ?? '')).toMatchObject({ redacted: true });
    await runCli(['export', file, '--format', 'bug-report', '-o', path.join(folder, 'secret.html')]);
    for (const name of ['secret.html', 'secret.faultline.jsonl']) {
      expect(readFileSync(path.join(folder, name), 'utf8')).not.toContain(secret);
    }
  });

  it('writes a bug report of chosen outcomes whose two files agree', async () => {
    const page = path.join(folder, 'bug.html');
    const { code } = await runCli([
      'export',
      demo,
      '--format',
      'bug-report',
      '-o',
      page,
      '--outcome',
      'silent_error',
      'partial',
    ]);
    expect(code).toBe(0);
    const html = readFileSync(page, 'utf8');
    const shown = [...html.matchAll(/<b class="(\w+)">[^<]*<\/b> <code>#([\d.]+)<\/code>/g)].map(
      ([, kind, key]) => `${key} ${kind}`,
    );
    const { stdout } = await runCli(['show', path.join(folder, 'bug.faultline.jsonl'), '--format', 'json']);
    const rebuilt = lines(stdout)
      .map((line) => JSON.parse(line))
      .filter(({ verdict }) => verdict?.outcome === 'silent_error' || verdict?.outcome === 'partial')
      .map(({ key, verdict }) => `${key} ${verdict.outcome}`);
    expect(shown).toEqual(rebuilt);
    expect(shown.length).toBeGreaterThan(1);
    expect(html).toMatch(/lines that servers wrote to stderr: \d+/);
    expect(readFileSync(path.join(folder, 'bug.faultline.jsonl'), 'utf8')).not.toContain('"kind":"stderr"');
  });

  it.each([
    [['export', 'no-such-session', '--log', demo], 'there is no session no-such-session'],
    [['export', '--format', 'bug-report', '--log', demo], 'name one by --output'],
    [['show', '--log', 'no-such-file'], 'no-such-file cannot be read'],
    [['show'], 'the extension has recorded none for this folder'],
  ])('%j says why it cannot', async (args, problem) => {
    const { code, stdout, stderr } = await runCli(args, {
      cwd: folder,
      env: { HOME: folder, XDG_CONFIG_HOME: folder },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it('exports what it can of a damaged file, and says what is wrong', async () => {
    const cut = path.join(folder, 'cut.faultline.jsonl');
    writeFileSync(cut, readFileSync(demo, 'utf8').slice(0, 20_000));
    const { code, stdout, stderr } = await runCli(['show', cut]);
    expect(code).toBe(2);
    expect(stdout).toContain('#1 demo:bookshop connection');
    expect(stderr).toMatch(/^faultline: Line \d+ is not JSON and was skipped\.\nfaultline: The file has no last line/);
  });
});
