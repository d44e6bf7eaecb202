import { html, type TemplateResult } from 'lit-html';
import { icon } from './icon.ts';

export interface MenuItem {
  readonly text: string;
  readonly icon: string;
  readonly run: () => void;
}

/** Keys of a menu button (WAI-ARIA Authoring Practices, "Menu Button"); what closes it gives the focus back. */
function onMenuKey(event: KeyboardEvent): void {
  const menu = event.currentTarget;
  if (!(menu instanceof HTMLElement)) {
    return;
  }
  const items = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const current = items.indexOf(document.activeElement as HTMLElement);
  const next =
    event.key === 'ArrowDown'
      ? (current + 1) % items.length
      : event.key === 'ArrowUp'
        ? (current - 1 + items.length) % items.length
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? items.length - 1
            : undefined;
  if (next !== undefined) {
    items[next]?.focus();
    event.preventDefault();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    menu.hidePopover();
    event.preventDefault();
  }
  // The page's own keys are not meant in a menu.
  event.stopPropagation();
}

function onToggle(event: Event): void {
  const menu = event.currentTarget;
  if (menu instanceof HTMLElement && event instanceof ToggleEvent) {
    menu.parentElement
      ?.querySelector('[aria-haspopup]')
      ?.setAttribute('aria-expanded', String(event.newState === 'open'));
    if (event.newState === 'open') {
      menu.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    }
  }
}

/** A button with a menu under it. `look` is `wide` with its label beside the icon, `icon` with the icon alone. */
export function menuView(
  id: string,
  label: string,
  iconName: string,
  look: 'wide' | 'icon',
  items: readonly MenuItem[],
): TemplateResult {
  const choose = (item: MenuItem) => (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) {
      event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    }
    item.run();
  };
  return html`<div class="menu-place menu-${id}">
    <button
      type="button"
      class="button secondary menu-button ${look === 'icon' ? 'is-icon' : ''}"
      popovertarget="menu-${id}"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label=${label}
      title=${label}
    >${icon(iconName)}${look === 'wide' ? html`<span class="menu-label">${label}</span>${icon('chevron-down')}` : ''}</button>
    <div class="menu" id="menu-${id}" popover role="menu" aria-label=${label} @keydown=${onMenuKey} @toggle=${onToggle}>
      ${items.map(
        (item) => html`<button type="button" class="menu-item" role="menuitem" tabindex="-1" @click=${choose(item)}>
          ${icon(item.icon)}<span>${item.text}</span>
        </button>`,
      )}
    </div>
  </div>`;
}
