import { safeLine } from '../../base/safeText.ts';
import type { Lists } from '../../core/client/catalogue.ts';
import { sentence } from './verdictText.ts';

const MAX_DESCRIPTION = 120;

/** What a server offers, one item a line, and what of it could not be read. */
export function listsAsText(lists: Lists | undefined): string {
  if (lists === undefined) {
    return '';
  }
  const { tools, resources, resourceTemplates, prompts } = lists;
  const problems = [tools, resources, resourceTemplates, prompts].flatMap((list) => list.problems);
  const lines = [
    ...tools.items.map(({ name, description }) => line('tool', name, description)),
    ...resources.items.map(({ uri, name, description }) => line('resource', uri, description ?? name)),
    ...resourceTemplates.items.map(({ uriTemplate, name, description }) =>
      line('template', uriTemplate, description ?? name),
    ),
    ...prompts.items.map(({ name, description }) => line('prompt', name, description)),
    ...problems.map(({ code, args }) => `missing   ${sentence(code, args)}`),
  ];
  return lines.length === 0 ? 'The server offers nothing.\n' : `${lines.join('\n')}\n`;
}

function line(kind: string, name: string, description: string | undefined): string {
  const first = description?.trim().split('\n', 1)[0] ?? '';
  return `${kind.padEnd(9)} ${safeLine(name, 200)}${first === '' ? '' : ` — ${safeLine(first, MAX_DESCRIPTION)}`}`;
}
