import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { systemClock } from '../../base/systemClock.ts';
import { authorizationKey, type Browser, createAuthorizer } from '../../core/client/auth/authorizer.ts';
import { chosenBrowser } from '../../core/client/auth/chosenBrowser.ts';
import { createLoopbackBrowser } from '../../core/client/auth/loopbackBrowser.ts';
import type { Authorizer } from '../../core/client/authorizer.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { readSetting } from '../manifest.ts';
import type { ValueStore } from './valueStore.ts';

const { t } = vscode.l10n;

const PATH = '/oauth';

/**
 * Signs people in to servers that ask for it, in their browser. The redirect comes back to this window by its URI, or over the
 * loopback interface where the authorization server takes no such URI or the user wants that.
 */
export class SignIn implements Disposable {
  private readonly store = new DisposableStore();
  private readonly values: ValueStore;
  private readonly redirectUrl: string;
  private readonly waiting = new Map<string, (parameters: URLSearchParams) => void>();

  private constructor(values: ValueStore, redirectUrl: string) {
    this.values = values;
    this.redirectUrl = redirectUrl;
    this.store.add(
      vscode.window.registerUriHandler({
        handleUri: (uri) => {
          const parameters = new URLSearchParams(uri.query);
          const state = parameters.get('state') ?? '';
          if (uri.path === PATH) {
            this.waiting.get(state)?.(parameters);
          }
        },
      }),
    );
  }

  static async open(values: ValueStore, extensionId: string): Promise<SignIn> {
    const own = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path: PATH });
    // In a browser or over a remote the address that reaches this window is another one.
    const external = await Promise.resolve(vscode.env.asExternalUri(own)).catch(() => own);
    return new SignIn(values, external.toString(true));
  }

  /** For a server over HTTP whose definition brings no credentials of its own. */
  authorizerFor({ name, transport }: ServerDefinition): Authorizer | undefined {
    const hasOwn =
      transport.type === 'http' && Object.keys(transport.headers).some((header) => /^authorization$/i.test(header));
    if (transport.type !== 'http' || hasOwn || !vscode.workspace.isTrusted) {
      return undefined;
    }
    const { values } = this;
    return createAuthorizer({
      serverUrl: transport.url,
      store: {
        get: (key) => values.secret(key),
        set: (key, value) => values.setSecret(key, value),
        delete: (key) => values.setSecret(key, undefined),
      },
      browser: this.browserFor(name),
      clientName: 'Faultline',
      newState: () => crypto.randomUUID(),
    });
  }

  /** Forgets tokens and registration; gives whether there were any. */
  static async forget(values: ValueStore, url: string): Promise<boolean> {
    const key = authorizationKey(url);
    const known = (await values.secret(key)) !== undefined;
    await values.setSecret(key, undefined);
    return known;
  }

  dispose(): void {
    this.waiting.clear();
    this.store.dispose();
  }

  private browserFor(name: string): Browser {
    const editor = this.editorBrowser(name);
    const loopback = createLoopbackBrowser({
      clock: systemClock,
      page: { title: 'Faultline', text: t('You can close this page and go back to the editor.') },
      show: (url) => askToOpen(name, url),
      // Over a remote the browser runs on the other side: the editor forwards the port, and says by which address.
      toExternal: async (url) =>
        Promise.resolve(vscode.env.asExternalUri(vscode.Uri.parse(url, true))).then(
          (external) => external.toString(true),
          () => url,
        ),
    });
    return chosenBrowser(readSetting('signIn.redirect'), editor, loopback);
  }

  /** Comes back by the URI handler of this window. */
  private editorBrowser(name: string): Browser {
    return {
      redirectUrl: this.redirectUrl,
      open: (url) => askToOpen(name, url),
      callback: (state, signal) =>
        new Promise((resolve) => {
          const done = (parameters: URLSearchParams | undefined) => {
            this.waiting.delete(state);
            resolve(parameters);
          };
          this.waiting.set(state, done);
          signal.addEventListener('abort', () => done(undefined), { once: true });
        }),
    };
  }
}

/** The address is the server's word: only a web page is opened, and only after its host has been shown. */
async function askToOpen(name: string, url: URL): Promise<boolean> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return false;
  }
  const open = t('Open Browser');
  const answer = await vscode.window.showInformationMessage(
    t('The MCP server "{0}" wants you to sign in at {1}.', name, url.host),
    { modal: true, detail: url.origin + url.pathname },
    open,
  );
  return answer === open && (await vscode.env.openExternal(vscode.Uri.parse(url.href, true)));
}
