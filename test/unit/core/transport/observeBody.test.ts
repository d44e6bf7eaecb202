import { describe, expect, it } from 'vitest';
import { type BodyObserver, observeBody } from '../../../../src/core/transport/observeBody.ts';

function scene() {
  const log: string[] = [];
  let pulls = 0;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls += 1;
        if (pulls > 2) {
          controller.close();
        } else {
          controller.enqueue(Uint8Array.of(pulls));
        }
      },
      cancel(reason) {
        log.push(`source cancelled: ${reason}`);
      },
    },
    { highWaterMark: 0 },
  );
  const observer: BodyObserver = {
    onChunk: (chunk) => log.push(`chunk ${chunk.join()}`),
    onEnd: () => log.push('end'),
    onError: (error) => log.push(`error ${error}`),
    onCancel: () => log.push('cancel'),
  };
  return { log, source, observer, pulls: () => pulls };
}

describe('observeBody', () => {
  it('shows every chunk and the end, and reads only what is read', async () => {
    const { log, source, observer, pulls } = scene();
    const reader = observeBody(source, observer).getReader();
    expect(pulls()).toBe(0);
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    expect(pulls()).toBe(1);
    await reader.read();
    expect((await reader.read()).done).toBe(true);
    expect(log).toEqual(['chunk 1', 'chunk 2', 'end']);
  });

  it('passes cancellation on', async () => {
    const { log, source, observer } = scene();
    const reader = observeBody(source, observer).getReader();
    await reader.read();
    await reader.cancel('enough');
    expect(log).toEqual(['chunk 1', 'cancel', 'source cancelled: enough']);
  });

  it('passes errors on', async () => {
    const { log, observer } = scene();
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error('broken'),
    });
    await expect(observeBody(source, observer).getReader().read()).rejects.toBe('broken');
    expect(log).toEqual(['error broken']);
  });

  it('gives the reader its bytes even when the observer throws', async () => {
    const { source, observer } = scene();
    const faulty = {
      ...observer,
      onChunk: () => {
        throw new Error('observer');
      },
    };
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on('warning', onWarning);
    const chunks: Uint8Array[] = [];
    for await (const chunk of observeBody(source, faulty)) {
      chunks.push(chunk);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(chunks).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
    expect(warnings).toEqual(['observer', 'observer']);
  });

  it('fails, and reads no more, when more would have to be held than may be', async () => {
    const { log, source, observer } = scene();
    const reader = observeBody(source, observer, ([first = 0]) => first > 1).getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    await expect(reader.read()).rejects.toThrow('larger than can be held');
    expect(log).toEqual([
      'chunk 1',
      'chunk 2',
      'source cancelled: Error: The answer is larger than can be held, and no more of it was read.',
      'error Error: The answer is larger than can be held, and no more of it was read.',
    ]);
  });
});
