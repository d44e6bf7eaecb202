import { html, nothing, type TemplateResult } from 'lit-html';
import type { CompletionView } from '../src/protocol/filter.ts';
import { escapeLine } from './escape.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { Rpc } from './rpc.ts';

/** Suggestions under the filter, a combobox with a list (ARIA APG). The host knows the language; this only shows and takes. */
export interface FilterCompletion {
  readonly isOpen: boolean;
  /** Id of the suggestion that the keys have reached. */
  readonly activeId: string | undefined;
  view(label: string): TemplateResult | typeof nothing;
  /** After typing. */
  typed(input: HTMLInputElement): void;
  focused(input: HTMLInputElement): void;
  close(): void;
  /** Takes a key that is the list's own. */
  press(event: KeyboardEvent, input: HTMLInputElement): void;
}

const optionId = (index: number) => `filter-option-${index}`;

export function createCompletion(
  rpc: Pick<Rpc, 'request'>,
  intents: Pick<Intents, 'typeFilter' | 'replaceFilter'>,
  requestRender: () => void,
): FilterCompletion {
  let items: readonly CompletionView[] = [];
  let active = -1;
  /** Counts what was asked, so that a late answer is not taken for the present one. */
  let asked = 0;
  /** What `asked` was when the items came: they are those of the text only while both are the same. */
  let shown = 0;
  /** Tab was pressed before the answer for what is written: the first suggestion is taken when it comes. */
  let isTabbed = false;

  const isStale = () => shown !== asked;

  function show(found: readonly CompletionView[]): void {
    asked += 1;
    shown = asked;
    isTabbed = false;
    if (items.length > 0 || found.length > 0) {
      items = found;
      active = -1;
      requestRender();
    }
  }

  const close = () => show([]);

  async function ask(input: HTMLInputElement): Promise<void> {
    asked += 1;
    const mine = asked;
    const { value: text, selectionStart } = input;
    const { items: found } = await rpc.request('complete', { text, cursor: selectionStart ?? text.length });
    if (mine === asked) {
      const [only, second] = found;
      const isWritten = second === undefined && only?.insert.trim() === text.slice(only?.from, only?.to);
      const takesFirst = isTabbed;
      show(isWritten ? [] : found);
      if (takesFirst) {
        accept(tabbed(), input);
      }
    }
  }

  // A filter is written without suggestions as well; that the host cannot be asked is told by what else is asked of it.
  const open = (input: HTMLInputElement) => void ask(input).catch(close);

  function accept(index: number, input: HTMLInputElement): void {
    const item = items[index];
    // The places of an older text would cut through this one.
    if (item === undefined || isStale()) {
      return;
    }
    const { kind, insert, from, to } = item;
    const text = input.value.slice(0, from) + insert + input.value.slice(to);
    input.value = text;
    input.setSelectionRange(from + insert.length, from + insert.length);
    close();
    if (kind === 'saved') {
      intents.replaceFilter(text, item.hiddenOutcomes ?? []);
    } else {
      intents.typeFilter(text);
    }
    if (kind === 'key') {
      open(input);
    }
  }

  /** The suggestion that Tab takes: the one that was reached, or the first for what is half written. */
  const tabbed = () => {
    const [first] = items;
    return active < 0 && first !== undefined && first.from < first.to ? 0 : active;
  };

  function handles({ key, shiftKey, ctrlKey }: KeyboardEvent, input: HTMLInputElement): boolean {
    const count = items.length;
    if (key === 'ArrowDown' || (key === ' ' && ctrlKey)) {
      if (count === 0) {
        open(input);
      }
      active = key === ' ' ? active : (active + 1) % Math.max(1, count);
    } else if (count === 0) {
      return false;
    } else if (key === 'Tab' && !shiftKey && isStale()) {
      isTabbed = true;
    } else if (key === 'ArrowUp') {
      active = (Math.max(0, active) + count - 1) % count;
    } else if (key === 'Enter' && active >= 0) {
      accept(active, input);
    } else if (key === 'Tab' && !shiftKey && tabbed() >= 0) {
      accept(tabbed(), input);
    } else if (key === 'Escape') {
      close();
    } else {
      return false;
    }
    return true;
  }

  return {
    get isOpen() {
      return items.length > 0;
    },
    get activeId() {
      return active < 0 || items.length === 0 ? undefined : optionId(active);
    },
    view(label) {
      if (items.length === 0) {
        return nothing;
      }
      const onClick = (event: Event) => {
        const option = event.target instanceof Element ? event.target.closest('li') : null;
        const input = document.querySelector<HTMLInputElement>('#filter');
        if (option !== null && input !== null) {
          accept(Number(option.dataset['place']), input);
        }
      };
      return html`<ul
        id="filter-list"
        class="completions"
        role="listbox"
        aria-label=${label}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${onClick}
      >${items.map(
        ({ kind, label: name, detail }, index) =>
          html`<li id=${optionId(index)} role="option" data-place=${index} aria-selected=${index === active}
            >${kind === 'saved' ? icon('filter') : nothing}<span class="completion-label">${escapeLine(name)}</span
            ><span class="completion-detail">${escapeLine(detail)}</span></li
          >`,
      )}</ul>`;
    },
    typed(input) {
      // What the keys had reached was a suggestion for another text.
      active = -1;
      isTabbed = false;
      const before = input.value.slice(0, input.selectionStart ?? undefined);
      // Between terms a list of everything would only be in the way.
      if (before === '' || /\S$/.test(before)) {
        open(input);
      } else {
        close();
      }
    },
    focused(input) {
      if (input.value === '') {
        open(input);
      }
    },
    close,
    press(event, input) {
      const isOwn = !event.altKey && !event.metaKey && (!event.ctrlKey || event.key === ' ');
      if (isOwn && handles(event, input)) {
        event.preventDefault();
        event.stopPropagation();
        requestRender();
      }
    },
  };
}
