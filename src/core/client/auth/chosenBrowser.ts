import type { Browser } from './authorizer.ts';

/** How the browser comes back: by the editor's own URI, over the loopback interface, or by the first that is registered. */
export type RedirectChoice = 'auto' | 'editor' | 'loopback';

/**
 * One browser of two: with `auto` that of the editor, until the authorization server refuses to register its redirect, or
 * where an earlier registration was for the other.
 */
export function chosenBrowser(choice: RedirectChoice, editor: Browser, loopback: Browser): Browser {
  let current = choice === 'loopback' ? loopback : editor;
  return {
    get redirectUrl() {
      return current.redirectUrl;
    },
    prepare: async (before) => {
      if (choice === 'auto' && before !== undefined && before.startsWith('http:') && before !== editor.redirectUrl) {
        current = loopback;
      }
      await current.prepare?.(before);
    },
    open: (url) => current.open(url),
    callback: (state, signal) => current.callback(state, signal),
    release: () => current.release?.(),
    change: () => {
      const canChange = choice === 'auto' && current === editor;
      current = canChange ? loopback : current;
      return canChange;
    },
  };
}
