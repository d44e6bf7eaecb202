import type { TreeLine } from './jsonTreeModel.ts';

/** Where a key leads in a list of lines: what is active then, what opens or closes. `undefined` for any other key. */
export type TreeMove =
  | { readonly kind: 'to'; readonly index: number }
  | { readonly kind: 'expand' | 'collapse'; readonly id: string }
  | { readonly kind: 'activate'; readonly index: number };

/** Keys of a tree (WAI-ARIA Authoring Practices, "Tree View"). */
export function moveOf(
  lines: readonly TreeLine[],
  active: number,
  key: string,
  pageLines: number,
): TreeMove | undefined {
  const line = lines[active];
  const last = lines.length - 1;
  const to = (index: number): TreeMove => ({ kind: 'to', index: Math.max(0, Math.min(last, index)) });
  const row = line !== undefined && 'value' in line ? line : undefined;
  switch (key) {
    case 'ArrowDown':
      return to(active + 1);
    case 'ArrowUp':
      return to(active - 1);
    case 'PageDown':
      return to(active + pageLines);
    case 'PageUp':
      return to(active - pageLines);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'ArrowRight':
      return row?.isExpandable !== true ? undefined : row.isExpanded ? to(active + 1) : { kind: 'expand', id: row.id };
    case 'ArrowLeft': {
      if (row?.isExpanded === true) {
        return { kind: 'collapse', id: row.id };
      }
      const depth = line?.depth ?? 0;
      const parent = lines.slice(0, active).findLastIndex((each) => each.depth < depth);
      return parent < 0 ? undefined : to(parent);
    }
    case 'Enter':
    case ' ':
      return { kind: 'activate', index: active };
    default:
      return undefined;
  }
}
