import * as vscode from 'vscode';
import type { CopyFormatName } from '../../protocol/details.ts';
import type { ServerId } from '../../protocol/events.ts';
import type { CommandTable } from '../manifest.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../targets.ts';

const { t } = vscode.l10n;

type ExchangeCommand =
  | 'faultline.copyExchange'
  | 'faultline.copyAs'
  | 'faultline.copyRaw'
  | 'faultline.copyAsCurl'
  | 'faultline.copyAsCall'
  | 'faultline.copyAsVitest'
  | 'faultline.copyAsPytest'
  | 'faultline.selectForCompare'
  | 'faultline.compareWithSelected'
  | 'faultline.compareWithReplay'
  | 'faultline.compareAsText'
  | 'faultline.openRequestDocument'
  | 'faultline.openResponseDocument';

/** Asks for a row of what the person looked at last. */
export type AskForRow = (placeHolder: string) => Promise<number | undefined>;

/** The commands about one row: the one that they are given, else the selected one, else one that is asked for. */
export function exchangeCommands(services: Services, ask: AskForRow): Pick<CommandTable, ExchangeCommand> {
  const { surfaces, servers } = services;
  const rowFor = async (target: unknown, question: string) =>
    rowOf(target) ?? surfaces.current.key ?? (await ask(question));

  const copy = (format?: CopyFormatName) => async (target: unknown) => {
    const key = await rowFor(target, t('Copy which exchange?'));
    const { recording } = surfaces.current;
    const definitionOf = (server: string) =>
      recording === services.recording ? servers.view(server as ServerId)?.definition : undefined;
    return key === undefined
      ? undefined
      : (await import('../copy/copyAs.ts')).copyRow({ recording, key, definitionOf }, format);
  };
  const compare = (kind: 'select' | 'selected' | 'replay' | 'text') => async (target: unknown) => {
    const key = await rowFor(target, t('Compare which exchange?'));
    return key === undefined
      ? undefined
      : (await import('./compareCommands.ts')).compareRow(kind, { ...surfaces.current, surfaces, key });
  };
  const open = (part: 'request' | 'response') => async (target: unknown) => {
    const key = await rowFor(target, t('Open which exchange?'));
    return key === undefined
      ? undefined
      : (await import('./compareCommands.ts')).openMessage(part, { ...surfaces.current, surfaces, key });
  };

  return {
    'faultline.copyExchange': copy('json'),
    'faultline.copyAs': copy(),
    'faultline.copyRaw': copy('raw'),
    'faultline.copyAsCurl': copy('curl'),
    'faultline.copyAsCall': copy('call'),
    'faultline.copyAsVitest': copy('vitest'),
    'faultline.copyAsPytest': copy('pytest'),
    'faultline.selectForCompare': compare('select'),
    'faultline.compareWithSelected': compare('selected'),
    'faultline.compareWithReplay': compare('replay'),
    'faultline.compareAsText': compare('text'),
    'faultline.openRequestDocument': open('request'),
    'faultline.openResponseDocument': open('response'),
  };
}
