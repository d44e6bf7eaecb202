import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openRecorded } from '../../../src/cli/recorded.ts';
import { readSession } from '../../../src/core/export/sessionReader.ts';
import { header, written } from '../core/export/support.ts';
import { vscodeStub } from '../support/vscodeStub.ts';

vi.mock('vscode', () => vscodeStub());

const { readSessionFile } = await import('../../../src/host/sessions/readFile.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bombs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [head = ''] = (await written([], header)).split('\n');
const event = `{"session":"s","server":"x:y","connection":"c","wallUs":1,"monoUs":1,"origin":"client","body":{"kind":"stderr","line":"","level":"info"},"seq":`;

/** A file that is so many times the same piece, which is never all of it in memory. */
async function* times(count: number, piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${head}\n`);
  for (let index = 0; index < count; index += 1) {
    yield piece;
  }
}

async function codesOf(chunks: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<string, number>> {
  const codes = new Map<string, number>();
  for await (const item of readSession(chunks)) {
    const code = item.kind === 'problem' ? item.problem.code : item.kind;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return codes;
}

const fileOf = (name: string, text: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

const hostRead = (file: string, most?: number) =>
  readSessionFile(
    { scheme: 'file', fsPath: file } as unknown as Parameters<typeof readSessionFile>[0],
    { isCancellationRequested: false } as unknown as Parameters<typeof readSessionFile>[1],
    most,
  );

describe('a session file', () => {
  it('of one line that never ends is read without being held', async () => {
    // More than a gigabyte, and more than any string of the platform can hold.
    const chunk = new Uint8Array(16 * 1024 * 1024).fill(0x20);
    expect(await codesOf(times(80, chunk))).toEqual(
      new Map([
        ['header', 1],
        ['session.too-long', 1],
        ['session.truncated', 1],
      ]),
    );
  });

  it('of many tiny lines that are no events is read without being held', async () => {
    const lines = new TextEncoder().encode('x\n'.repeat(1000));
    expect(await codesOf(times(100, lines))).toEqual(
      new Map([
        ['header', 1],
        ['session.not-json', 100_000],
        ['session.truncated', 1],
      ]),
    );
  });

  it('of nothing but problems is read no further in the editor than makes that plain', async () => {
    const file = fileOf('problems.jsonl', `${head}\n${'x\n'.repeat(20_000)}`);
    expect((await hostRead(file)).problems).toHaveLength(10_000);
  });

  it('of events without text is held as far as one of long messages', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${event}${index + 1}}`);
    const file = fileOf('events.jsonl', `${head}\n${lines.join('\n')}\n`);
    const { events, problems } = await hostRead(file, 500_000);
    expect(events).toHaveLength(1001);
    expect(problems.map(({ code }) => code)).toEqual(['session.too-large']);
  });

  it('of nothing but problems is told of in a hundred lines on the command line', async () => {
    const file = fileOf('told.jsonl', `${head}\n${'x\n'.repeat(2000)}`);
    let told = '';
    const terminal = {
      err: (text: string) => {
        told += text;
      },
    };
    const opened = await openRecorded(file, terminal as unknown as Parameters<typeof openRecorded>[1]);
    if ('problem' in opened) {
      throw new Error(opened.problem);
    }
    for await (const one of opened.events()) {
      throw new Error(`an event: ${one.seq}`);
    }
    opened.close();
    const lines = told.trimEnd().split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toContain('has more problems');
  });
});
