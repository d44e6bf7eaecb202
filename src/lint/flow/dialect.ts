import type { Call, Entry, Expression } from '../ir.ts';

/** What a call means in its language or SDK, where that decides the shape of a value. */
export type Meaning =
  /** The value is as good as this expression: `str(x)`, `JSON.stringify(x)`, `x.trim()`. */
  | { readonly kind: 'same'; readonly value: Expression }
  /** A text that starts as `value` does: `"…".format(…)`, `[…].join("\n")`. */
  | { readonly kind: 'startsAs'; readonly value: Expression }
  | { readonly kind: 'block'; readonly text: Expression }
  | {
      readonly kind: 'result';
      readonly content: Expression | undefined;
      readonly structured: Expression | undefined;
      readonly flag: Entry | undefined;
    }
  | { readonly kind: 'object'; readonly entries: readonly Entry[] }
  /** The text or trace of the error being handled. */
  | { readonly kind: 'caught' }
  /** What one of these functions returns; `isCatch`: the first one handles an error. */
  | {
      readonly kind: 'callbacks';
      readonly before: Expression | undefined;
      readonly callbacks: readonly Expression[];
      readonly isCatch: boolean;
    };

/** What the evaluation must know of a language. */
export interface Dialect {
  /** `path` is the dotted name of what is called, `name` its last part. */
  meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined;
  /** Paths under which a relative import of `from` may be found, best first; empty when it is not relative. */
  candidates(from: string, module: string, name: string): readonly string[];
  /** Paths under which a class may be found that `from` names and no import brings: files of one package see each other. */
  neighbours?(from: string, name: string): readonly string[];
  /** Names by which a method calls another of its object: `self`, `this`. */
  readonly selfNames: ReadonlySet<string>;
  /** A bare name may be a method that the object has from a base class. */
  readonly hasBareMethods?: boolean;
  /** An error of a function called goes no further unless it is given back: Go. */
  readonly hasErrorValues?: boolean;
}
