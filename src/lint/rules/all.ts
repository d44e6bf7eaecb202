import { blindExit } from './blindExit.ts';
import { emptyOnFailure } from './emptyOnFailure.ts';
import { genericError } from './genericError.ts';
import { hiddenPartial } from './hiddenPartial.ts';
import { leakedInternals } from './leakedInternals.ts';
import { lostRaise } from './lostRaise.ts';
import { missingAnnotations } from './missingAnnotations.ts';
import { noTimeout } from './noTimeout.ts';
import { protocolError } from './protocolError.ts';
import { resourceNotFound } from './resourceNotFound.ts';
import { returnedError } from './returnedError.ts';
import { revalidatedSchema } from './revalidatedSchema.ts';
import type { Rule } from './rule.ts';
import { stdoutNoise } from './stdoutNoise.ts';
import { wrongSdkError } from './wrongSdkError.ts';

/** Every rule, in the order of its code. FL000 (`unusedSuppression.ts`) runs after them. */
export const rules: readonly Rule[] = [
  returnedError,
  emptyOnFailure,
  protocolError,
  leakedInternals,
  genericError,
  hiddenPartial,
  revalidatedSchema,
  stdoutNoise,
  noTimeout,
  missingAnnotations,
  lostRaise,
  wrongSdkError,
  resourceNotFound,
  blindExit,
];
