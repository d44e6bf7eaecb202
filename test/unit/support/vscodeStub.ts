import { formatText } from '../../../src/base/text.ts';

/**
 * As much of `vscode` as what draws items needs, for `vi.mock('vscode', …)`. `translate` stands for the bundle of a
 * language.
 */
export function vscodeStub(translate: (text: string) => string = (text) => text) {
  return {
    env: { language: 'en' },
    l10n: {
      t: (text: string, ...args: readonly (string | number)[]) =>
        formatText(translate(text), Object.fromEntries(args.map((arg, index) => [String(index), arg]))),
    },
    TreeItem: class {
      label: unknown;
      collapsibleState: number;
      constructor(label: unknown, collapsibleState = 0) {
        this.label = label;
        this.collapsibleState = collapsibleState;
      }
    },
    ThemeIcon: class {
      id: string;
      color: unknown;
      constructor(id: string, color?: unknown) {
        this.id = id;
        this.color = color;
      }
    },
    ThemeColor: class {
      id: string;
      constructor(id: string) {
        this.id = id;
      }
    },
    TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  };
}
