import type { HostileInput, Transcript } from './inputs.ts';

/** What a program made of one input. */
export interface Detected {
  readonly shown: boolean;
  readonly right: boolean;
  readonly kept: boolean;
}

/** Judges a transcript by the patterns of its input; undefined when the program is not asked, since it keeps no record. */
export function detected(input: HostileInput, { seen, recorded }: Transcript): Detected | undefined {
  if (input.isOfRecord === true && recorded === undefined) {
    return undefined;
  }
  const looked = withoutName(input.isOfRecord === true ? (recorded ?? '') : seen, input.server.file);
  const shown = input.shown.test(looked) || input.right.test(looked);
  return {
    shown,
    right: shown && input.right.test(looked) && input.never?.test(looked) !== true,
    kept: input.kept.test(withoutName(`${seen}\n${recorded ?? ''}`, input.server.file)),
  };
}

/** A server's file is named after what it does, and its name is no finding. */
function withoutName(text: string, file: string): string {
  return text.replaceAll(file, 'server');
}

export interface DetectionScore {
  readonly asked: number;
  readonly shown: number;
  readonly right: number;
  readonly kept: number;
}

/** How many of those inputs that a program was asked about it has shown, told for what they are, and kept. */
export function scoreOf(all: readonly (Detected | undefined)[]): DetectionScore {
  const asked = all.filter((each) => each !== undefined);
  const count = (is: (each: Detected) => boolean) => asked.filter(is).length;
  return {
    asked: asked.length,
    shown: count(({ shown }) => shown),
    right: count(({ right }) => right),
    kept: count(({ kept }) => kept),
  };
}
