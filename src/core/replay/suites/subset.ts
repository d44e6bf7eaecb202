import { pointerStep } from '../../../base/jsonPointer.ts';
import { isArray } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { volatileDifference } from '../volatileParts.ts';

/** A part that was asked for and is not there so; `at` is its pointer. */
export interface MissingPart {
  readonly at: string;
  readonly expected: JsonValue;
  /** What is in its place; absent when nothing is. */
  readonly actual?: JsonValue;
}

/** Items of a list that are compared with each other at most, over all of it. */
const MAX_COMPARED = 1_000_000;

/**
 * The parts of `expected` that `actual` lacks: every member that is expected must be there, and every item of a list, in
 * its order, whatever stands between them. Parts that are volatile may differ, and so may those at `ignore`, pointers in
 * which `*` stands for any step. `at` is where `actual` is; pointers are those of the whole.
 */
export function findSubset(
  expected: JsonValue,
  actual: JsonValue,
  { at, ignore }: { readonly at: string; readonly ignore: readonly string[] },
): readonly MissingPart[] {
  const search = new Search(ignore.map((pointer) => pointer.split('/')));
  return search.missing(expected, actual, at, at.split('/').at(-1));
}

class Search {
  private readonly ignore: readonly (readonly string[])[];
  private compared = 0;

  constructor(ignore: readonly (readonly string[])[]) {
    this.ignore = ignore;
  }

  missing(
    expected: JsonValue,
    actual: JsonValue | undefined,
    at: string,
    name: string | undefined,
  ): readonly MissingPart[] {
    this.compared += 1;
    if (this.isIgnored(at)) {
      return [];
    }
    if (actual === undefined) {
      return [{ at, expected }];
    }
    if (isArray(expected)) {
      return isArray(actual) ? this.missingItems(expected, actual, at) : [{ at, expected, actual }];
    }
    if (typeof expected === 'object' && expected !== null) {
      if (typeof actual !== 'object' || actual === null || isArray(actual)) {
        return [{ at, expected, actual }];
      }
      return Object.entries(expected).flatMap(([key, value]) =>
        this.missing(value, Object.hasOwn(actual, key) ? actual[key] : undefined, `${at}${pointerStep(key)}`, key),
      );
    }
    const isAlike = expected === actual || volatileDifference(name, expected, actual) !== undefined;
    return isAlike ? [] : [{ at, expected, actual }];
  }

  private missingItems(
    expected: readonly JsonValue[],
    actual: readonly JsonValue[],
    at: string,
  ): readonly MissingPart[] {
    let from = 0;
    for (const [index, item] of expected.entries()) {
      let nearest: readonly MissingPart[] | undefined;
      let found = -1;
      for (let place = from; place < actual.length && found < 0 && this.compared < MAX_COMPARED; place += 1) {
        const missing = this.missing(item, actual[place], `${at}/${place}`, undefined);
        if (missing.length === 0) {
          found = place;
        } else if (nearest === undefined || missing.length < nearest.length) {
          nearest = missing;
        }
      }
      if (found < 0) {
        return nearest ?? [{ at: `${at}/${index}`, expected: item }];
      }
      from = found + 1;
    }
    return [];
  }

  private isIgnored(pointer: string): boolean {
    const steps = pointer.split('/');
    return this.ignore.some(
      (named) => named.length <= steps.length && named.every((step, index) => step === '*' || step === steps[index]),
    );
  }
}
