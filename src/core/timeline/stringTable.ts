/** Longer names are cut: they are for a row to show, and the log has the whole. UTF-16 code units. */
export const MAX_NAME_LENGTH = 1000;

/** Gives each distinct string a small number. 0 stands for "none". */
export class StringTable {
  private readonly texts: string[] = [''];
  private readonly ids = new Map<string, number>();

  get length(): number {
    return this.texts.length;
  }

  /** The number of `text`, which is cut to `MAX_NAME_LENGTH`. */
  idOf(text: string | undefined): number {
    if (text === undefined) {
      return 0;
    }
    const name = text.length <= MAX_NAME_LENGTH ? text : cut(text);
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.texts.length;
      this.texts.push(name);
      this.ids.set(name, id);
    }
    return id;
  }

  /** The number of `text`; 0 when nothing has this name. */
  find(text: string): number {
    return this.ids.get(text) ?? 0;
  }

  /** The string of a number that `idOf` gave; `''` for 0. */
  textOf(id: number): string {
    return this.texts[id] ?? '';
  }
}

/** Never through the middle of a surrogate pair. */
function cut(text: string): string {
  const last = text.charCodeAt(MAX_NAME_LENGTH - 2);
  const isHighSurrogate = last >= 0xd800 && last < 0xdc00;
  return `${text.slice(0, MAX_NAME_LENGTH - (isHighSurrogate ? 2 : 1))}…`;
}
