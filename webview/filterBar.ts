import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { escapeLine } from './escape.ts';
import type { FilterCompletion } from './filterCompletion.ts';
import { fill, formatCount } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { PageState } from './store.ts';

/** The filter: saved filters, the field with its suggestions and the place of what is wrong, and the count of rows. */
export function filterBox(
  state: PageState,
  isNarrow: boolean,
  intents: Intents,
  completion: FilterCompletion,
): TemplateResult {
  const { snapshot, strings, filterError, filterText } = state;
  const isWrong = filterError !== undefined;
  // While suggestions are open the term is still being written: no sentence needs to push the rows about.
  const isTold = isWrong && !completion.isOpen;
  const onField = (take: (input: HTMLInputElement) => void) => (event: Event) => {
    if (event.target instanceof HTMLInputElement) {
      take(event.target);
    }
  };
  return html`<div class="filter ${isWrong ? 'is-invalid' : ''}">
    <button type="button" class="in-field" id="saved-filters" title=${strings.filter.saved} aria-label=${strings.filter.saved} @click=${intents.pickFilter}
      >${icon(snapshot.isSearching === true ? 'loading' : 'filter')}</button>
    <div class="filter-field">
      ${isWrong ? placeView(filterText, filterError) : nothing}
      <input
        id="filter"
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded=${completion.isOpen}
        aria-controls="filter-list"
        aria-activedescendant=${completion.activeId ?? nothing}
        maxlength="1000"
        spellcheck="false"
        autocomplete="off"
        placeholder=${strings.filterPlaceholder}
        aria-label=${strings.filterPlaceholder}
        aria-invalid=${isWrong}
        aria-describedby=${isTold ? 'filter-error' : nothing}
        .value=${live(filterText)}
        @input=${onField((input) => {
          intents.typeFilter(input.value);
          completion.typed(input);
        })}
        @focus=${onField(completion.focused)}
        @blur=${completion.close}
        @keydown=${(event: KeyboardEvent) => onField((input) => completion.press(event, input))(event)}
        @scroll=${onField(alignPlace)}
      />
    </div>
    ${
      filterText === ''
        ? nothing
        : html`<button type="button" class="in-field" id="clear-filter" title=${strings.filter.clear} aria-label=${strings.filter.clear} @click=${intents.emptyFilter}
          >${icon('close')}</button>`
    }
    ${snapshot.recorded > 0 ? countView(state, isNarrow) : nothing}
  </div>
  ${completion.view(strings.filter.completions)}
  ${isTold ? html`<p class="filter-error" id="filter-error">${escapeLine(filterError.message)}</p>` : nothing}`;
}

function countView({ snapshot, strings }: PageState, isNarrow: boolean): TemplateResult {
  const shown = formatCount(snapshot.total);
  const text = isNarrow ? shown : fill(strings.shownOf, { shown, recorded: formatCount(snapshot.recorded) });
  // More may come while messages are searched.
  return snapshot.isSearching === true
    ? html`<span class="shown-of" title=${strings.filter.searching}>${text}…</span>`
    : html`<span class="shown-of">${text}</span>`;
}

/** The text again, unseen, under the field's own, with the place of the error underlined. */
function placeView(text: string, { offset, length }: NonNullable<PageState['filterError']>): TemplateResult {
  const wrong = text.slice(offset, offset + length);
  return html`<div class="filter-place" aria-hidden="true">${text.slice(0, offset)}<u>${wrong === '' ? ' ' : wrong}</u>${text.slice(offset + length)}</div>`;
}

/** Keeps the underline under its text when a long filter is scrolled. */
export function alignPlace(input: HTMLInputElement): void {
  const place = input.parentElement?.querySelector('.filter-place');
  if (place !== null && place !== undefined) {
    place.scrollLeft = input.scrollLeft;
  }
}
