import type { Clock } from '../../../base/clock.ts';
import { type LoopbackOptions, type LoopbackRedirect, openLoopbackRedirect } from '../../transport/loopbackRedirect.ts';
import type { Browser } from './authorizer.ts';

/** What is registered before a port is known, and where none can be had: nobody comes back to it. */
const NOWHERE = 'http://127.0.0.1/callback';

export interface LoopbackBrowserOptions {
  readonly clock: Clock;
  readonly page: LoopbackOptions['page'];
  /** Shows the page; false when the person would not have it. */
  show(url: URL): Promise<boolean>;
  /** The address that reaches this machine from where the browser runs; by default they are one. */
  readonly toExternal?: (url: string) => Promise<string>;
}

/** A browser that comes back over the loopback interface, for which a port is opened with each sign-in and closed after it. */
export function createLoopbackBrowser(options: LoopbackBrowserOptions): Browser {
  let redirect: LoopbackRedirect | undefined;
  let url = NOWHERE;
  return {
    get redirectUrl() {
      return url;
    },
    prepare: async (before) => {
      redirect?.close();
      redirect = await openLoopbackRedirect({ ...options, before });
      url = redirect === undefined ? NOWHERE : await (options.toExternal?.(redirect.url) ?? redirect.url);
    },
    open: async (page) => {
      const state = page.searchParams.get('state');
      if (redirect === undefined || state === null) {
        return false;
      }
      // Before the page is shown: the answer may come at once.
      redirect.expect(state);
      const isShown = await options.show(page);
      if (!isShown) {
        redirect.close();
      }
      return isShown;
    },
    callback: async (_state, signal) => redirect?.wait(signal),
    release: () => redirect?.close(),
  };
}
