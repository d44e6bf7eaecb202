import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const names: Record<string, string> = read('package.nls.json');

interface Contributed {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
  readonly enablement?: string;
}

const commands: readonly Contributed[] = read('package.json').contributes.commands;
const titleOf = ({ title }: Contributed) => names[title.slice(1, -1)];

/** Contexts in which VS Code may be, as far as our commands ask. */
const contexts = {
  /** A trusted workspace with rows recorded, one selected, in an ordinary editor. */
  usual: { isWorkspaceTrusted: true, 'faultline.isEmpty': false },
  untrusted: { isWorkspaceTrusted: false, 'faultline.isEmpty': false },
  empty: { isWorkspaceTrusted: true, 'faultline.isEmpty': true },
  replaying: { isWorkspaceTrusted: true, 'faultline.isReplaying': true },
  text: { isWorkspaceTrusted: true, resourceScheme: 'faultline-timeline' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, boolean | string>>>>;

/** Evaluates the few operators that the manifest uses: `||`, `&&`, `!`, `==`. */
function holds(clause: string, context: Readonly<Record<string, boolean | string>>): boolean {
  return clause.split('||').some((any) =>
    any.split('&&').every((term) => {
      const [key = '', value] = term.split('==').map((part) => part.trim());
      const isNegated = key.startsWith('!');
      const found = context[isNegated ? key.slice(1) : key];
      return value === undefined ? (found === true) !== isNegated : found === value;
    }),
  );
}

describe('the palette', () => {
  it.each([
    ['a && !b || c == d', { a: true }, true],
    ['a && !b || c == d', { a: true, b: true }, false],
    ['a && !b || c == d', { b: true, c: 'd' }, true],
    ['c == d', { c: 'e' }, false],
  ])('is read as VS Code reads it: %s', (clause, context, expected) => {
    expect(holds(clause, context as Readonly<Record<string, boolean | string>>)).toBe(expected);
  });

  const always = ['usual', 'untrusted', 'empty', 'replaying', 'text'];
  const notUntrusted = ['usual', 'empty', 'replaying', 'text'];
  const notEmpty = ['usual', 'untrusted', 'replaying', 'text'];

  it.each([
    ['Run Demo', notUntrusted],
    ['Connect Server…', notUntrusted],
    ['Connect All', notUntrusted],
    ['Disconnect', always],
    ['Restart Server', notUntrusted],
    ['Set Secret…', always],
    ['Sign Out…', always],
    ['Call Tool…', notUntrusted],
    ['Read Resource…', notUntrusted],
    ['Get Prompt…', notUntrusted],
    ['Replay with Backoff', ['usual', 'replaying', 'text']],
    ['Cancel Replay', ['replaying']],
    ['Open Timeline', always],
    ['Open Timeline in Editor', always],
    ['Open Timeline as Text', notEmpty],
    ['Refresh Timeline Text', ['text']],
    ['Show Failures', always],
    ['Show Calls in Timeline…', always],
    ['Next Error', notEmpty],
    ['Previous Error', notEmpty],
    ['Filter Timeline…', always],
    ['Copy Exchange as JSON', notEmpty],
    ['Clear Timeline', notEmpty],
    ['Show Usability Report…', notEmpty],
    ['Compare Usability Report With…', notEmpty],
    ['Export Usability Report…', notEmpty],
    ['Export Session…', notEmpty],
    ['Export Bug Report…', notEmpty],
    ['Export to OpenTelemetry…', notEmpty],
    ['Open Session…', always],
    ['Delete Recorded Sessions…', always],
    ['Save as Suite…', notEmpty],
    ['Record Case Again', notUntrusted],
    ['Serve Session as Mock…', ['usual', 'replaying', 'text']],
    ['Stop Mock', []],
    ['Go to Tool Source', always],
    ["Tap a Client's Server…", notUntrusted],
    ['Remove Tap…', always],
    ['Remove All Taps', always],
    ['Offer Tapped Servers to the Agent of VS Code…', notUntrusted],
    ['Lint Workspace', always],
    ['Fix All Safe Findings', always],
    ['Report Debug Information', always],
  ])('offers “%s” where it can work, under our category', (title, offered) => {
    const command = commands.find((one) => titleOf(one) === title);
    expect(command).toMatchObject({ category: 'Faultline' });
    const enablement = command?.enablement ?? '';
    const isOffered = Object.entries(contexts).filter(([, context]) => enablement === '' || holds(enablement, context));
    expect(isOffered.map(([name]) => name)).toEqual(offered);
  });

  it('names no two commands alike', () => {
    const titles = commands.map(titleOf);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});
