import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackRedirect, openLoopbackRedirect } from '../../../../src/core/transport/loopbackRedirect.ts';
import { isSameSecret } from '../../../../src/core/transport/sameSecret.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const page = { title: 'Signed in', text: 'Go back to <the editor> & close this.' };
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) {
    await cleanUp();
  }
});

async function open(before?: string): Promise<LoopbackRedirect & { clock: FakeClock }> {
  const clock = new FakeClock();
  const redirect = await openLoopbackRedirect({ clock, before, page });
  if (redirect === undefined) {
    throw new Error('no listener');
  }
  cleanUps.push(() => redirect.close());
  return { ...redirect, clock };
}

const never = new AbortController().signal;
const visit = (url: string, init: RequestInit = {}) => fetch(url, init);
const refusesConnections = (url: string) =>
  visit(url).then(
    () => false,
    () => true,
  );

describe('a redirect to the loopback interface', () => {
  it('is let in by its state, once, with a page that loads nothing, and frees the port', async () => {
    const redirect = await open();
    redirect.expect('s1');
    const waited = redirect.wait(never);
    const response = await visit(`${redirect.url}?state=s1&code=c1`);
    expect([response.status, response.headers.get('content-security-policy'), await response.text()]).toEqual([
      200,
      "default-src 'none'",
      expect.stringContaining('Go back to &lt;the editor&gt; &amp; close this.'),
    ]);
    expect(Object.fromEntries((await waited) ?? [])).toEqual({ state: 's1', code: 'c1' });
    expect(await refusesConnections(`${redirect.url}?state=s1&code=c2`)).toBe(true);
  });

  it.each<readonly [string, string, RequestInit, number]>([
    ['another state', '?state=s2&code=c', {}, 400],
    ['no state', '?code=c', {}, 400],
    ['the start of the state', '?state=s&code=c', {}, 400],
    ['another path', '/more?state=s1&code=c', {}, 404],
    ['a POST', '?state=s1&code=c', { method: 'POST' }, 404],
  ])('is not taken for %s, and still waited for', async (_name, suffix, init, status) => {
    const redirect = await open();
    redirect.expect('s1');
    const waited = redirect.wait(never);
    expect((await visit(redirect.url + suffix, init)).status).toBe(status);
    await visit(`${redirect.url}?state=s1&code=right`);
    expect((await waited)?.get('code')).toBe('right');
  });

  it('lets nobody in before a state is known', async () => {
    const redirect = await open();
    expect((await visit(`${redirect.url}?state=`)).status).toBe(400);
  });

  it.each<readonly [string, (redirect: LoopbackRedirect & { clock: FakeClock }, abort: () => void) => unknown]>([
    ['the wait is cancelled', (_, abort) => abort()],
    ['it is closed', (redirect) => redirect.close()],
    ['nobody came for ten minutes', ({ clock }) => clock.advance(600_000)],
  ])('is over when %s', async (_name, end) => {
    const redirect = await open();
    redirect.expect('s1');
    const controller = new AbortController();
    const waited = redirect.wait(controller.signal);
    await end(redirect, () => controller.abort());
    expect(await waited).toBeUndefined();
    expect(await refusesConnections(redirect.url)).toBe(true);
  });

  it('comes to the port of an earlier one where that is free, else to another', async () => {
    const first = await open();
    first.close();
    const second = await open(first.url);
    const third = await open(first.url);
    expect([second.url === first.url, third.url === first.url]).toEqual([true, false]);
  });

  it.each(['no url', 'http://127.0.0.2:9/callback', 'http://127.0.0.1/callback', 'vscode://a.b/oauth'])(
    'is not looked for at %s',
    async (before) => expect((await open(before)).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  );

  it('listens at no other address', async () => {
    const { port } = new URL((await open()).url);
    const other = createServer();
    cleanUps.push(() => other.close());
    // The same port is free elsewhere.
    await new Promise<void>((resolve, reject) => {
      other.once('error', reject).listen(Number(port), '127.0.0.2', () => resolve());
    });
    expect(other.listening).toBe(true);
  });
});

describe('secrets', () => {
  it.each([
    ['', '', true],
    ['a', 'a', true],
    ['a', '', false],
    ['', 'a', false],
    ['ab', 'ac', false],
    ['ab', 'abab', false],
    ['abab', 'ab', false],
    ['ä', 'ä', true],
  ])('"%s" and "%s" are the same: %s', (given, expected, same) => expect(isSameSecret(given, expected)).toBe(same));
});
