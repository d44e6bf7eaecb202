// What commands are given by the menus of our trees and by lenses.

/** A tool by its name: of a lens, or of a line of the Findings view. */
export interface NamedTool {
  readonly toolName: string;
  /** Id of its server, where that is clear. */
  readonly server?: string;
}

/** A row of the timeline by its key: of a line of the Findings view or of a problem of the Servers view. */
export interface RowTarget {
  readonly row: number;
}

/** A row of a timeline page; `file`: the address of the session file that the page shows, `''` for what this window records. */
export interface PageRow extends RowTarget {
  readonly file: string;
}

/** What the row of a command is of: as `PageRow` says, of this window where it does not; `undefined` when it is no object. */
export function fileOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null) {
    return undefined;
  }
  return 'file' in target && typeof target.file === 'string' ? target.file : '';
}

export function isNamedTool(target: unknown): target is NamedTool {
  return typeof target === 'object' && target !== null && 'toolName' in target && typeof target.toolName === 'string';
}

/** The row that a command is given, as a key or as a line of a tree that stands for one; `undefined` when it is none. */
export function rowOf(target: unknown): number | undefined {
  if (typeof target === 'number') {
    return target;
  }
  const isRow = typeof target === 'object' && target !== null && 'row' in target && typeof target.row === 'number';
  return isRow ? (target as RowTarget).row : undefined;
}
