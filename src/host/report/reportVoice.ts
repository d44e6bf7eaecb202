import { lightFormat } from 'date-fns/lightFormat';
import type { ReportVoice } from '../../core/report/reportWords.ts';
import type { CommandArguments, CommandId } from '../contributions.ts';
import { ownLanguage } from '../language.ts';
import { say } from '../say.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';

/** How a report of what is shown is told in the editor: in its language, with links to rows and source. */
export function editorVoice(shown: Shown): ReportVoice {
  return {
    ...plainVoice(shown),
    toolLink: (server, toolName) => commandLink('faultline.goToToolSource', { toolName, server }),
    // Rows of a session file have no place to go to.
    ...(shown.file === '' ? { rowLink: (key: number) => commandLink('faultline.openTimeline', key) } : {}),
  };
}

/** The same without links, for a file that is read elsewhere. */
export function plainVoice({ nameOf }: Pick<Shown, 'nameOf'>): ReportVoice {
  return {
    say,
    nameOf,
    time: (us) => lightFormat(new Date(us / 1000), 'yyyy-MM-dd HH:mm'),
    language: ownLanguage(),
  };
}

/** An address that runs a command of ours. */
export function commandLink<C extends CommandId>(command: C, ...args: CommandArguments[C]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
