import type { Tree } from 'web-tree-sitter';

/** The way through a tree that copying it takes; web-tree-sitter's `TreeCursor` is one. */
export interface Walk {
  readonly nodeTypeId: number;
  readonly currentFieldId: number;
  readonly startIndex: number;
  readonly endIndex: number;
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
  /** Before anyone else may use the parser, and after. */
  pause?(): void;
  resume?(): void;
  delete(): void;
}

/** The functions that a `TreeCursor` calls. Each takes a tree's address, and the cursor from a place in memory. */
interface CursorFunctions {
  /** The address of that place. */
  _ts_init(): number;
  /** Leaves the root there, which `_ts_tree_cursor_new_wasm` starts from. */
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  getValue(address: number, type: 'i32'): number;
  setValue(address: number, value: number, type: 'i32'): void;
}

/** To be given to `Parser.init`, which fills in the functions: the first time in a process, and never again. */
export const treeModule: Partial<CursorFunctions> & { wasmBinary?: Uint8Array } = {};

const NAMES: Readonly<Record<keyof CursorFunctions, true>> = {
  _ts_init: true,
  _ts_tree_root_node_wasm: true,
  _ts_tree_cursor_new_wasm: true,
  _ts_tree_cursor_delete_wasm: true,
  _ts_tree_cursor_current_node_type_id_wasm: true,
  _ts_tree_cursor_current_field_id_wasm: true,
  _ts_tree_cursor_start_index_wasm: true,
  _ts_tree_cursor_end_index_wasm: true,
  _ts_tree_cursor_goto_first_child_wasm: true,
  _ts_tree_cursor_goto_next_sibling_wasm: true,
  _ts_tree_cursor_goto_parent_wasm: true,
  getValue: true,
  setValue: true,
};

/** A walk from the root: without the detours of a `TreeCursor` where its functions are there, else one. */
export function walkThrough(tree: Tree): Walk {
  return hasAll(treeModule) ? new DirectWalk(tree, treeModule) : tree.walk();
}

function hasAll(module: Partial<CursorFunctions>): module is CursorFunctions {
  return Object.keys(NAMES).every((name) => typeof module[name as keyof CursorFunctions] === 'function');
}

/** 32-bit words of a cursor. */
const CURSOR_WORDS = 4;

/**
 * A `TreeCursor` writes itself into memory before each call and reads itself back after it, which takes longer than the call.
 * Between two calls of one walk nothing else changes that memory, so it may stay there.
 */
class DirectWalk implements Walk {
  readonly #tree: number;
  readonly #functions: CursorFunctions;
  readonly #place: number;
  #paused: readonly number[] = [];

  constructor(tree: Tree, functions: CursorFunctions) {
    // The library keeps the address there, as its own code does without saying so in its types.
    this.#tree = (tree as unknown as { readonly 0: number })[0];
    this.#functions = functions;
    this.#place = functions._ts_init();
    functions._ts_tree_root_node_wasm(this.#tree);
    functions._ts_tree_cursor_new_wasm(this.#tree);
  }

  get nodeTypeId(): number {
    return this.#functions._ts_tree_cursor_current_node_type_id_wasm(this.#tree);
  }

  get currentFieldId(): number {
    return this.#functions._ts_tree_cursor_current_field_id_wasm(this.#tree);
  }

  get startIndex(): number {
    return this.#functions._ts_tree_cursor_start_index_wasm(this.#tree);
  }

  get endIndex(): number {
    return this.#functions._ts_tree_cursor_end_index_wasm(this.#tree);
  }

  gotoFirstChild(): boolean {
    return this.#functions._ts_tree_cursor_goto_first_child_wasm(this.#tree) === 1;
  }

  gotoNextSibling(): boolean {
    return this.#functions._ts_tree_cursor_goto_next_sibling_wasm(this.#tree) === 1;
  }

  gotoParent(): boolean {
    return this.#functions._ts_tree_cursor_goto_parent_wasm(this.#tree) === 1;
  }

  pause(): void {
    this.#paused = Array.from({ length: CURSOR_WORDS }, (_, word) =>
      this.#functions.getValue(this.#place + 4 * word, 'i32'),
    );
  }

  resume(): void {
    for (const [word, value] of this.#paused.entries()) {
      this.#functions.setValue(this.#place + 4 * word, value, 'i32');
    }
  }

  delete(): void {
    this.#functions._ts_tree_cursor_delete_wasm(this.#tree);
  }
}
