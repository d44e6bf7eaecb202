import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../../base/messageOf.ts';
import type { SuiteFailure } from './suiteInstance.ts';

export interface SuiteFolder {
  /** The variable that names it; empty when the suite names no such folder, and none was made. */
  readonly variables: Readonly<Record<string, string>>;
  letGo(): Promise<void>;
}

/** Makes the temporary folder of one run of a suite, when the variables that it names want one. */
export async function makeSuiteFolder(named: readonly string[]): Promise<SuiteFolder | SuiteFailure> {
  if (!named.includes('tempFolder')) {
    return { variables: {}, letGo: () => Promise.resolve() };
  }
  try {
    // Servers tell resolved paths.
    const tempFolder = await realpath(await mkdtemp(path.join(tmpdir(), 'faultline-suite-')));
    return { variables: { tempFolder }, letGo: () => rm(tempFolder, { recursive: true, force: true, maxRetries: 3 }) };
  } catch (error) {
    return { code: 'suite.noFolder', args: { detail: messageOf(error) } };
  }
}
