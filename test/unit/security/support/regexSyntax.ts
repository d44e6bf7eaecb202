/** What a pattern is made of, as far as its cost depends on it. A set matches one character. */
export type RegexNode =
  | { readonly type: 'set'; readonly has: (char: string) => boolean }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly RegexNode[] }
  | { readonly type: 'group'; readonly index: number; readonly node: RegexNode }
  | {
      readonly type: 'repeat';
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
      readonly node: RegexNode;
    }
  | { readonly type: 'look'; readonly isBehind: boolean; readonly isNegative: boolean; readonly node: RegexNode }
  | { readonly type: 'edge'; readonly kind: '^' | '$' | 'b' | 'B' }
  | { readonly type: 'back'; readonly index: number };

/** Reads a pattern that the platform has compiled. Throws on syntax that is not used in this project. */
export function parseRegex({ source, flags }: RegExp): RegexNode {
  return new Reader(source, flags).read();
}

class Reader {
  private readonly source: string;
  private readonly flags: string;
  private readonly names: readonly string[];
  private at = 0;
  private groups = 0;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
    this.names = [...source.matchAll(/(?<!\\)\((?:\?<([\w$]+)>|(?!\?))/g)].map((match) => match[1] ?? '');
  }

  read(): RegexNode {
    const node = this.choice();
    if (this.at < this.source.length) {
      throw new Error(`unread at ${this.at} of ${this.source}`);
    }
    return node;
  }

  private choice(): RegexNode {
    const nodes = [this.sequence()];
    while (this.takes('|')) {
      nodes.push(this.sequence());
    }
    return { type: 'choice', nodes };
  }

  private sequence(): RegexNode {
    const nodes: RegexNode[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source.charAt(this.at))) {
      nodes.push(this.quantified(this.atom()));
    }
    return { type: 'sequence', nodes };
  }

  private quantified(node: RegexNode): RegexNode {
    const [all = '', sign = '', low, comma, high] =
      /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})/.exec(this.source.slice(this.at)) ?? [];
    if (all === '') {
      return node;
    }
    this.at += all.length;
    const isLazy = this.takes('?');
    const least = sign === '' ? Number(low) : sign === '+' ? 1 : 0;
    const most = comma === undefined ? least : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    return {
      type: 'repeat',
      min: least,
      max: sign === '' ? most : sign === '?' ? 1 : Number.POSITIVE_INFINITY,
      isLazy,
      node,
    };
  }

  private atom(): RegexNode {
    const rest = this.source.slice(this.at);
    const [head = ''] = /^\((?:\?(?:[:=!]|<[=!]|<[\w$]+>))?/.exec(rest) ?? [];
    if (head !== '') {
      this.at += head.length;
      return this.group(head);
    }
    if (this.takes('^')) {
      return { type: 'edge', kind: '^' };
    }
    if (this.takes('$')) {
      return { type: 'edge', kind: '$' };
    }
    const [back] = /^\\(?:[1-9]|k<[\w$]+>)/.exec(rest) ?? [];
    if (back !== undefined) {
      this.at += back.length;
      const index = back.startsWith('\\k') ? this.names.indexOf(back.slice(3, -1)) + 1 : Number(back.slice(1));
      return { type: 'back', index };
    }
    if (/^\\[bB]/.test(rest)) {
      this.at += 2;
      return { type: 'edge', kind: rest.charAt(1) === 'b' ? 'b' : 'B' };
    }
    return this.set(rest);
  }

  private group(head: string): RegexNode {
    const isCapture = head === '(' || /^\(\?<[\w$]/.test(head);
    this.groups += isCapture ? 1 : 0;
    const index = this.groups;
    const node = this.choice();
    if (!this.takes(')')) {
      throw new Error(`unclosed group in ${this.source}`);
    }
    if (isCapture) {
      return { type: 'group', index, node };
    }
    return head === '(?:' ? node : { type: 'look', isBehind: head.includes('<'), isNegative: head.endsWith('!'), node };
  }

  private set(rest: string): RegexNode {
    const written =
      /^(?:\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])|[\s\S])/u.exec(
        rest,
      )?.[0];
    if (written === undefined) {
      throw new Error(`no atom at ${this.at} of ${this.source}`);
    }
    this.at += written.length;
    const one = new RegExp(`^${written}$`, this.flags.replace(/[gmyd]/g, ''));
    // Asked millions of times, of few characters.
    const known: (boolean | undefined)[] = [];
    return {
      type: 'set',
      has: (char) => {
        const code = char.codePointAt(0) ?? 0;
        const told = known[code] ?? one.test(char);
        if (code < 256) {
          known[code] = told;
        }
        return told;
      },
    };
  }

  private takes(char: string): boolean {
    if (this.source.charAt(this.at) !== char) {
      return false;
    }
    this.at += 1;
    return true;
  }
}
