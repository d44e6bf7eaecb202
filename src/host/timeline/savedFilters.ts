import * as vscode from 'vscode';
import { parseFilter } from '../../core/timeline/filter/parse.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import { showUserError, userErrors } from '../userError.ts';

const { t } = vscode.l10n;

const KEY = 'faultline.savedFilters';

/** More than anybody finds anything in. */
const MAX_SAVED = 100;
const MAX_NAME_LENGTH = 100;

/** A filter with a name that a person gave it. */
export interface SavedFilter {
  readonly name: string;
  readonly text: string;
  readonly hiddenOutcomes: readonly OutcomeKind[];
}

/** Filters that everybody needs. */
const BUILT_IN: readonly SavedFilter[] = [
  { name: t('Failures'), text: 'is:failure', hiddenOutcomes: [] },
  { name: t('Silent errors'), text: 'is:silent', hiddenOutcomes: [] },
  { name: t('Retried calls'), text: 'has:retry', hiddenOutcomes: [] },
  { name: t('Slower than a second'), text: 'ms>1s', hiddenOutcomes: [] },
  { name: t('Unusual beside the outcome'), text: 'has:anomaly', hiddenOutcomes: [] },
  { name: t('Last 15 minutes'), text: 'since:15m', hiddenOutcomes: [] },
];

/** The filters of this workspace: those that were saved, and those that everybody has. */
export class SavedFilters {
  private readonly memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.memory = memory;
  }

  /** Saved ones by name, then those that are built in. */
  all(): readonly SavedFilter[] {
    return [...this.saved(), ...BUILT_IN];
  }

  /** Lets a person pick a filter, save `current` or forget one. The filter to show, or nothing when none was picked. */
  async pick(current: Omit<SavedFilter, 'name'>): Promise<Omit<SavedFilter, 'name'> | undefined> {
    for (;;) {
      const picked = await this.pickOnce(current);
      if (picked !== 'again') {
        return picked;
      }
    }
  }

  /** Asks for a name and saves; one of the same name gives way. */
  async save({ text, hiddenOutcomes }: Omit<SavedFilter, 'name'>): Promise<void> {
    const parsed = parseFilter(text);
    if (parsed.kind === 'error') {
      await showUserError(userErrors.filterNotSaved(text), 'warning');
      return;
    }
    const name = await vscode.window.showInputBox({
      title: t('Save Filter'),
      prompt: text,
      placeHolder: t('Name'),
      validateInput: (value) =>
        value.trim() === '' || value.length > MAX_NAME_LENGTH
          ? t('A name of up to {0} characters', MAX_NAME_LENGTH)
          : '',
    });
    if (name !== undefined) {
      const saved = { name: name.trim(), text, hiddenOutcomes };
      const others = this.saved().filter((each) => each.name !== saved.name);
      await this.write([...others, saved].slice(-MAX_SAVED));
    }
  }

  private async pickOnce(current: Omit<SavedFilter, 'name'>): Promise<Omit<SavedFilter, 'name'> | 'again' | undefined> {
    const picker = vscode.window.createQuickPick<Item>();
    picker.title = t('Filters');
    picker.placeholder = t('Filter to show');
    picker.matchOnDescription = true;
    picker.items = this.items(current);
    try {
      return await new Promise((resolve) => {
        picker.onDidAccept(() => {
          const [item] = picker.selectedItems;
          resolve(item?.filter ?? (item?.isSave === true ? this.save(current).then(() => undefined) : undefined));
        });
        picker.onDidTriggerItemButton(({ item }) => {
          const others = this.saved().filter(({ name }) => name !== item.filter?.name);
          resolve(this.write(others).then(() => 'again' as const));
        });
        picker.onDidHide(() => resolve(undefined));
        picker.show();
      });
    } finally {
      picker.dispose();
    }
  }

  private items(current: Omit<SavedFilter, 'name'>): readonly Item[] {
    const forget = { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Delete This Filter') };
    const isEmpty = current.text.trim() === '' && current.hiddenOutcomes.length === 0;
    const saved = this.saved().map((filter) => ({ ...itemOf(filter), buttons: [forget] }));
    return [
      ...(isEmpty ? [] : [{ label: t('$(add) Save This Filter…'), description: described(current), isSave: true }]),
      ...(saved.length === 0 ? [] : [separator(t('saved')), ...saved]),
      separator(t('built in')),
      ...BUILT_IN.map(itemOf),
    ];
  }

  /** What is stored may be of another version, or damaged. */
  private saved(): readonly SavedFilter[] {
    const stored = this.memory.get<unknown>(KEY);
    const saved = Array.isArray(stored) ? stored.flatMap(readSaved) : [];
    return saved.sort((a, b) => a.name.localeCompare(b.name));
  }

  private async write(filters: readonly SavedFilter[]): Promise<void> {
    await this.memory.update(KEY, filters);
  }
}

interface Item extends vscode.QuickPickItem {
  readonly filter?: SavedFilter;
  readonly isSave?: boolean;
}

function itemOf(filter: SavedFilter): Item {
  return { label: filter.name, description: described(filter), filter };
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** The filter in its own language, toggles included. */
function described({ text, hiddenOutcomes }: Omit<SavedFilter, 'name'>): string {
  return [text.trim(), ...(hiddenOutcomes.length === 0 ? [] : [`-outcome:${hiddenOutcomes.join(',')}`])].join(' ');
}

function readSaved(stored: unknown): readonly SavedFilter[] {
  if (typeof stored !== 'object' || stored === null) {
    return [];
  }
  const { name, text, hiddenOutcomes } = stored as Readonly<Record<keyof SavedFilter, unknown>>;
  const hidden = Array.isArray(hiddenOutcomes) ? OUTCOME_KINDS.filter((kind) => hiddenOutcomes.includes(kind)) : [];
  return typeof name === 'string' && typeof text === 'string' ? [{ name, text, hiddenOutcomes: hidden }] : [];
}
