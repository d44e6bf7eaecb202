import { assertNever } from '../../base/assertNever.ts';
import type { Judge } from '../../protocol/call.ts';
import { judgeError } from './judgeError.ts';
import { judgeLocal, judgeTransport } from './judgeLocal.ts';
import { judgeResult } from './judgeResult.ts';

/** Gives the outcome of an exchange with its reasons and its retry class (outcome reference). Pure; never throws. */
export const judge: Judge = (request, end) => {
  switch (end.kind) {
    case 'result':
      return judgeResult(request, end.result, '/result');
    case 'error':
      return judgeError(request, end);
    case 'invalid':
    case 'timeout':
    case 'cancelled':
      return judgeLocal(end);
    case 'transport':
      return judgeTransport(end.failure);
    default:
      return assertNever(end);
  }
};
