import { homedir } from 'node:os';
import path from 'node:path';

/** Where this machine keeps things, injected so that a test can have a machine of its own. */
export interface StateMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Where Faultline keeps, for one user, what outlives a window and a version: the launcher that clients start, what was tapped,
 * the log of taps in no workspace. Outside every editor's storage, since several editors and the command line share it.
 */
export function stateFolder({ platform, home, env }: StateMachine = thisMachine()): string {
  return platform === 'win32'
    ? path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Faultline')
    : platform === 'darwin'
      ? path.join(home, 'Library', 'Application Support', 'Faultline')
      : // XDG Base Directory Specification: one that is set to nothing is as if it were not set.
        path.join(env['XDG_STATE_HOME'] || path.join(home, '.local', 'state'), 'faultline');
}

function thisMachine(): StateMachine {
  return { platform: process.platform, home: homedir(), env: process.env };
}
