import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The variables of an `envFile`; `undefined` when it cannot be read. */
export function readEnvFile(file: string): Readonly<Record<string, string>> | undefined {
  try {
    const entries = Object.entries(parseEnv(readFileSync(file, 'utf8')));
    return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  } catch {
    return undefined;
  }
}
