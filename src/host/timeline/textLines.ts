/** A line that stands for a row. */
export interface TextLine {
  /** From 0. */
  readonly line: number;
  readonly key: number;
  readonly isFailure: boolean;
  /** Length of the time at the line's start, UTF-16 code units. */
  readonly timeLength: number;
}

/** The next line that failed after `line` in a direction, wrapping round; `undefined` when none did. */
export function nextFailureLine(lines: readonly TextLine[], line: number, direction: 1 | -1): TextLine | undefined {
  const failures = lines.filter(({ isFailure }) => isFailure);
  return direction === 1
    ? (failures.find((one) => one.line > line) ?? failures[0])
    : (failures.findLast((one) => one.line < line) ?? failures.at(-1));
}
