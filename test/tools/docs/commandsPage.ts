import { commandGroups, pageKeys } from './commandTexts.ts';
import type { CommandEntry, Manifest, MenuEntry } from './manifest.ts';
import { cell, table } from './markdown.ts';

/** What a place is called, by its menu and, of views, by the view that the clause names. */
const MENUS: Readonly<Record<string, string>> = {
  'webview/context': "row's menu",
  'editor/title': "editor's title",
  'testing/item/context': 'Test Explorer',
};
const VIEWS: Readonly<Record<string, string>> = {
  'faultline.timeline': 'Timeline',
  'faultline.servers': 'Servers',
  'faultline.findings': 'Findings',
};

/** The page of all commands. Throws when one is in no group, or a menu is not known. */
export function commandsPage(manifest: Manifest): string {
  const { commands, menus, keybindings } = manifest.contributes;
  const known = new Map(commands.map((command) => [command.command, command]));
  const told = new Set(commandGroups.flatMap((group) => Object.keys(group.commands)));
  const untold = commands.filter(({ command }) => !told.has(command));
  if (untold.length > 0) {
    throw new Error(`commandTexts.ts says nothing of ${untold.map(({ command }) => command).join(', ')}`);
  }
  const keysOf = (id: string) =>
    keybindings.filter(({ command }) => command === id).map(({ key }) => key.split('+').map(capital).join('+'));
  const row = ({ command, title, enablement }: CommandEntry, does: string) => [
    `**${cell(title)}**<br>\`${command}\``,
    cell(does + needs(enablement)),
    keysOf(command).join(', '),
    cell(placesOf(command, menus).join(', ')),
  ];
  const groups = commandGroups.map((group) => {
    const rows = Object.entries(group.commands).map(([id, does]) => {
      const command = known.get(id);
      if (command === undefined || does === undefined) {
        throw new Error(`the manifest has no ${id}`);
      }
      return row(command, does);
    });
    return `## ${group.title}\n\n${table(['command', 'what it does', 'key', 'beside the palette'], rows)}\n\n${group.more}`;
  });
  return `# Commands

<!-- Written by \`npm run docs\` from package.json, package.nls.json and test/tools/docs/commandTexts.ts. -->

All are in the palette under **Faultline**. Those about a call work on the selected row, or ask for one. The name under each title is
what a key is bound to, in _Keyboard Shortcuts_.

${groups.join('\n\n')}

## Keys of the timeline

Where the list has the focus. The letters work in the details too, and none of them in the filter.

${table(
  ['key', 'does'],
  pageKeys.map(({ keys, does }) => [keys, does]),
)}

On the overview, arrows move, with Shift they brush a time, \`+\` and \`-\` narrow and widen it, Enter jumps to the first failure there and Escape
clears it. The keys of a message's tree: [details.md](details.md#messages).
`;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The contexts in which a command can be run, in words. */
function needs(enablement: string | undefined): string {
  const reasons: Readonly<Record<string, string>> = {
    isWorkspaceTrusted: 'in a trusted workspace',
    '!faultline.isEmpty': 'when something is recorded',
    'faultline.isReplaying': 'during a replay',
    'faultline.hasCompareBase': 'when a row is remembered',
    'faultline.isMocking': 'while a mock is served',
    'faultline.isInjecting': 'while faults are injected',
    'resourceScheme == faultline-timeline': 'in that document',
  };
  const clauses = enablement === undefined ? [] : enablement.split(' && ');
  const words = clauses.map((clause) => {
    const reason = reasons[clause];
    if (reason === undefined) {
      throw new Error(`commandsPage.ts has no words for ${clause}`);
    }
    return reason;
  });
  return words.length === 0 ? '' : ` _(${words.join(', ')})_`;
}

function placesOf(id: string, menus: Readonly<Record<string, readonly MenuEntry[]>>): string[] {
  const places = Object.entries(menus).flatMap(([menu, entries]) =>
    entries.filter(({ command }) => command === id).flatMap((entry) => placesOfEntry(menu, entry)),
  );
  return [...new Set(places)];
}

function placesOfEntry(menu: string, { when = '' }: MenuEntry): string[] {
  if (menu === 'view/title' || menu === 'view/item/context') {
    const where = menu === 'view/title' ? '' : ': an item';
    return [...when.matchAll(/view == ([\w.]+)/g)].map(([, view = '']) => `${VIEWS[view]}${where}`);
  }
  const place = MENUS[menu];
  if (place === undefined) {
    throw new Error(`commandsPage.ts has no word for the menu ${menu}`);
  }
  return [place];
}
