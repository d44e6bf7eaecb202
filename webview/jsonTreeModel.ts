import type { JsonCut } from '../src/protocol/details.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type NodeKind = 'object' | 'list' | 'text' | 'number' | 'boolean' | 'null';

/** One line of the tree. */
export interface TreeRow {
  /** Unique in its tree: the pointer, and the one within a text that is JSON. */
  readonly id: string;
  /** RFC 6901, of the nearest value that the message itself has. */
  readonly pointer: string;
  readonly depth: number;
  /** Name of the member or number of the item; absent at the root. */
  readonly name: string | undefined;
  readonly kind: NodeKind;
  readonly value: Json;
  /** Items or members of a list or object, also of one in a text. */
  readonly size: number;
  /** A text that is a JSON list or object, which opens like one. */
  readonly isDecoded: boolean;
  readonly isExpandable: boolean;
  readonly isExpanded: boolean;
  /** It is a place that decided. */
  readonly isMarked: boolean;
  /** Of the whole, where the value is only its beginning. */
  readonly cutFrom: number | undefined;
  readonly position: number;
  readonly siblings: number;
}

/** A line in the place of further items of `parent`; not `canShow` when they are not here. */
export interface MoreRow {
  readonly id: string;
  readonly parent: string;
  readonly depth: number;
  readonly more: number;
  readonly canShow: boolean;
}

export type TreeLine = TreeRow | MoreRow;

/** Items of a list or object that are shown at once, and that are added when more are asked for. */
const STEP = 100;

/** Lines that a tree opens by itself. */
const OPENED_LINES = 80;

interface Node {
  readonly id: string;
  readonly pointer: string;
  readonly name: string | undefined;
  readonly value: Json;
  readonly depth: number;
  readonly position: number;
  readonly siblings: number;
}

/** Between the pointer of a text and the pointer within it; no pointer can hold it as a step of its own. */
const WITHIN = '»';

/**
 * A JSON value as lines, of which a person sees those that are open. Children are made when they are asked for, so that
 * the cost is that of what is shown.
 */
export class JsonTreeModel {
  private readonly root: Node;
  private readonly open = new Set<string>();
  private readonly shown = new Map<string, number>();
  private readonly marked: ReadonlySet<string>;
  private readonly cuts: ReadonlyMap<string, JsonCut>;
  private readonly decodedTexts = new Map<string, Json | undefined>();

  constructor(value: unknown, pointers: readonly string[], cuts: readonly JsonCut[]) {
    // What `JSON.parse` gives.
    this.root = { id: '', pointer: '', name: undefined, value: value as Json, depth: 0, position: 1, siblings: 1 };
    this.marked = new Set(pointers);
    this.cuts = new Map(cuts.map((cut) => [cut.pointer, cut]));
    this.openSome();
    for (const pointer of pointers) {
      this.reveal(pointer);
    }
  }

  /** The open lines, in order. */
  lines(): readonly TreeLine[] {
    const lines: TreeLine[] = [];
    const visit = (node: Node) => {
      const row = this.rowOf(node);
      lines.push(row);
      if (row.isExpanded) {
        const children = this.childrenOf(node);
        const count = this.shown.get(node.id) ?? STEP;
        for (const child of children.slice(0, count)) {
          visit(child);
        }
        const rest = children.length - Math.min(count, children.length);
        const missing = row.cutFrom === undefined || row.kind === 'text' ? 0 : row.cutFrom - children.length;
        if (rest + missing > 0) {
          const id = `${node.id}/…`;
          lines.push({ id, parent: node.id, depth: node.depth + 1, more: rest + missing, canShow: rest > 0 });
        }
      }
    };
    visit(this.root);
    return lines;
  }

  setExpanded(id: string, isExpanded: boolean): void {
    if (isExpanded) {
      this.open.add(id);
    } else {
      this.open.delete(id);
    }
  }

  showMore(id: string): void {
    this.shown.set(id, (this.shown.get(id) ?? STEP) + STEP);
  }

  /** Opens all that a place is in. Gives the id of its line, or of the nearest that is there. */
  reveal(pointer: string): string {
    let node = this.root;
    for (const step of pointer.split('/').slice(1)) {
      this.open.add(node.id);
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const children = this.childrenOf(node);
      const index = children.findIndex((child) => child.name === name);
      const child = children[index];
      if (child === undefined) {
        return node.id;
      }
      if (index >= STEP) {
        this.shown.set(node.id, Math.max(this.shown.get(node.id) ?? STEP, index + 1));
      }
      node = child;
    }
    return node.id;
  }

  /** Breadth first, as long as there is room: the outline of a large message, the whole of a small one. */
  private openSome(): void {
    let level: readonly Node[] = [this.root];
    let lines = 1;
    while (level.length > 0) {
      const next: Node[] = [];
      for (const node of level) {
        const children = this.childrenOf(node);
        const count = Math.min(children.length, STEP);
        if (count > 0 && (lines + count <= OPENED_LINES || node === this.root)) {
          this.open.add(node.id);
          lines += count;
          next.push(...children.slice(0, count));
        }
      }
      level = next;
    }
  }

  private rowOf(node: Node): TreeRow {
    const content = this.contentOf(node);
    const size = typeof content === 'object' && content !== null ? Object.keys(content).length : 0;
    const cut = this.cuts.get(node.id);
    return {
      id: node.id,
      pointer: node.pointer,
      depth: node.depth,
      name: node.name,
      kind: kindOf(node.value),
      value: node.value,
      size,
      isDecoded: typeof node.value === 'string' && content !== node.value,
      isExpandable: size > 0,
      isExpanded: size > 0 && this.open.has(node.id),
      isMarked: this.marked.has(node.id) && node.id !== '',
      cutFrom: cut?.total,
      position: node.position,
      siblings: node.siblings,
    };
  }

  /** The value, or what a text is the JSON of. */
  private contentOf({ id, value }: Node): Json {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) {
      return value;
    }
    if (!this.decodedTexts.has(id)) {
      this.decodedTexts.set(id, decode(value));
    }
    return this.decodedTexts.get(id) ?? value;
  }

  private childrenOf(node: Node): readonly Node[] {
    const content = this.contentOf(node);
    if (typeof content !== 'object' || content === null) {
      return [];
    }
    const names = Object.keys(content);
    const isWithin = typeof node.value === 'string';
    return names.map((name, index) => {
      const step = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const id = `${node.id}${isWithin ? WITHIN : ''}${step}`;
      return {
        id,
        pointer: isWithin || node.id !== node.pointer ? node.pointer : id,
        name,
        value: (content as { readonly [name: string]: Json })[name] ?? null,
        depth: node.depth + 1,
        position: index + 1,
        siblings: names.length,
      };
    });
  }
}

function decode(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function kindOf(value: Json): NodeKind {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'list' : 'object';
  }
}
