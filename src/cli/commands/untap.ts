import path from 'node:path';
import { safeLine } from '../../base/safeText.ts';
import { formatText } from '../../base/text.ts';
import { stateFolder } from '../../core/passthrough/config/stateFolder.ts';
import {
  type Removal,
  removeAllTaps,
  removeTap,
  type StandingTap,
  standingTaps,
} from '../../core/passthrough/config/taps.ts';
import { tapConfigTexts } from '../../protocol/texts/tapConfig.ts';
import { configurationPaths } from '../discoverServers.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import type { Terminal } from '../terminal.ts';

export interface UntapOptions {
  readonly all: boolean;
  /** Further configurations to look into. */
  readonly config?: readonly string[];
}

/** `faultline untap`: lists the taps in clients' configurations, or takes them out: those that are named, or all. */
export async function untap(wanted: readonly string[], options: UntapOptions, terminal: Terminal): Promise<ExitCode> {
  const state = stateFolder();
  const named = (options.config ?? []).map((file) => path.resolve(terminal.cwd, file));
  const files = [...configurationPaths(terminal.cwd), ...named];
  if (options.all) {
    return tell(await removeAllTaps(state, files), terminal);
  }
  const standing = await standingTaps(state, files);
  if (wanted.length === 0) {
    for (const tap of standing) {
      await terminal.out(`${tap.id}  ${lineOf(tap)}\n`);
    }
    return exitCodes.clean;
  }
  const isWanted = ({ id, name }: StandingTap) => wanted.includes(id) || wanted.includes(name);
  const unknown = wanted.filter((word) => !standing.some(({ id, name }) => id === word || name === word));
  const removals: Removal[] = [];
  for (const tap of standing.filter(isWanted)) {
    removals.push(await removeTap(state, tap));
  }
  for (const word of unknown) {
    terminal.err(`faultline: no tap is called ${safeLine(word, 100)}\n`);
  }
  const code = await tell(removals, terminal);
  return unknown.length > 0 ? exitCodes.failed : code;
}

async function tell(removals: readonly Removal[], terminal: Terminal): Promise<ExitCode> {
  const texts: Readonly<Record<string, string>> = tapConfigTexts;
  for (const removal of removals) {
    switch (removal.kind) {
      case 'removed':
        await terminal.out(`removed  ${lineOf(removal)}\n`);
        break;
      case 'gone':
        await terminal.out(`was gone  ${lineOf(removal)}\n`);
        break;
      case 'refused':
        terminal.err(
          `faultline: ${lineOf(removal)}: ${formatText(texts[removal.code] ?? removal.code, removal.args)}\n`,
        );
    }
  }
  return removals.some(({ kind }) => kind === 'refused') ? exitCodes.failed : exitCodes.clean;
}

function lineOf({ name, file }: Pick<StandingTap, 'name' | 'file'>): string {
  return `${safeLine(name, 100)}  ${safeLine(file, 500)}`;
}
