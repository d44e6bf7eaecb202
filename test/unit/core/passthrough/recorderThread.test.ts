import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/base/systemClock.ts';
import { createRecorderThread } from '../../../../src/core/passthrough/recorderThread.ts';
import type { SessionId } from '../../../../src/protocol/events.ts';
import { bytesOf } from './support.ts';

function open() {
  const told: string[] = [];
  const thread = createRecorderThread({
    script: path.join(import.meta.dirname, 'dyingRecorder.mjs'),
    settings: {
      log: undefined,
      cwd: '/',
      session: 's' as SessionId,
      server: undefined,
      fallbackServer: 'x',
      transport: 'stdio',
    },
    clock: systemClock,
    onProblem: (code, detail) => told.push(`${code} ${detail}`),
  });
  const tell = (text: string) => thread.tape.passed('sent', 0, bytesOf(text));
  const heard = (text: string) => vi.waitFor(() => expect(told.join('\n')).toContain(text), { timeout: 10_000 });
  return { thread, told, tell, heard };
}

describe('the thread that records', () => {
  it('gets what passed before it was started, and all that waits when it is closed', async () => {
    const { thread, told, tell } = open();
    tell('early');
    thread.tape.flush();
    thread.start();
    tell('late');
    expect(await thread.close(10_000)).toBe(true);
    expect(told).toEqual(['got early', 'got late']);
  });

  it('is started anew when it dies, with a gap for what it had not dealt with', async () => {
    const { thread, told, tell, heard } = open();
    thread.start();
    tell('die');
    await heard('log.tap.recorder killed by a message');
    await heard('"reason":"log.gap.tap-recorder"');
    tell('after');
    expect(await thread.close(10_000)).toBe(true);
    expect(told.at(-1)).toBe('got after');
    expect(told.filter((text) => text.startsWith('log.'))).toHaveLength(1);
  });

  it('is given up when it keeps dying, and takes nobody with it', async () => {
    const { thread, told, tell, heard } = open();
    thread.start();
    for (let death = 1; death <= 5; death += 1) {
      tell('die');
      thread.tape.flush();
      await heard('log.tap.recorder');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    tell('unheard');
    expect(await thread.close(1000)).toBe(false);
    expect(told.join()).not.toContain('unheard');
  });

  it('is not waited for beyond the limit', async () => {
    const { thread, tell } = open();
    thread.start();
    tell('hang');
    expect(await thread.close(200)).toBe(false);
  });
});
