import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { systemClock } from '../base/systemClock.ts';
import { createAuthorizer } from '../core/client/auth/authorizer.ts';
import { createLoopbackBrowser } from '../core/client/auth/loopbackBrowser.ts';
import type { Authorizer } from '../core/client/authorizer.ts';
import type { ServerDefinition } from '../protocol/definition.ts';
import { createCredentialStore, credentialsFile } from './credentials.ts';
import type { Terminal } from './terminal.ts';

/**
 * Signs in to servers that ask for it: the address of the page is printed, and the browser comes back over the loopback
 * interface. `wanted`: undefined leaves it to whether there is a person at the terminal. A server whose definition has
 * credentials of its own gets those.
 */
export function createSignIn(
  wanted: boolean | undefined,
  terminal: Terminal,
): (definition: ServerDefinition) => Authorizer | undefined {
  const store = createCredentialStore(credentialsFile(process.env, process.platform));
  const hasPerson = wanted ?? (process.stdin.isTTY && process.stderr.isTTY);
  return ({ name, transport }) => {
    if (transport.type !== 'http' || Object.keys(transport.headers).some((header) => /^authorization$/i.test(header))) {
      return undefined;
    }
    const browser = createLoopbackBrowser({
      clock: systemClock,
      page: { title: 'Faultline', text: 'You can close this page and go back to the terminal.' },
      show: async (url) => {
        // The address is the server's word.
        const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
        if (isWeb) {
          terminal.err(
            `faultline: ${name} wants you to sign in at ${url.host}. Open this address in a browser:\n${url.href}\n`,
          );
        }
        return isWeb;
      },
    });
    return createAuthorizer({
      serverUrl: transport.url,
      store,
      browser: hasPerson ? browser : undefined,
      clientName: 'Faultline',
      newState: randomUUID,
    });
  };
}
