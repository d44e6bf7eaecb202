import { assertNever } from '../../../base/assertNever.ts';
import { copyAsCall } from './callCommand.ts';
import type { Copied, CopyFormat, CopySource } from './copySource.ts';
import { COPY_FORMATS } from './copySource.ts';
import { copyAsCurl } from './curl.ts';
import { copyAsPytest } from './pytestTest.ts';
import { copyAsVitest } from './vitestTest.ts';

/** The exchange as text, or why there is none of that format. `json` is made by whoever knows the verdict too. */
export function copyAs(format: Exclude<CopyFormat, 'json'>, source: CopySource): Copied {
  try {
    return written(format, source);
  } catch (error) {
    // What nests too deeply for the stack, as only a program that means ill writes it.
    if (error instanceof RangeError) {
      return { refusal: 'copy.refused.tooDeep' };
    }
    throw error;
  }
}

function written(format: Exclude<CopyFormat, 'json'>, source: CopySource): Copied {
  switch (format) {
    case 'raw':
      return copyAsRaw(source);
    case 'curl':
      return copyAsCurl(source);
    case 'call':
      return copyAsCall(source);
    case 'vitest':
      return copyAsVitest(source);
    case 'pytest':
      return copyAsPytest(source);
    default:
      return assertNever(format);
  }
}

/** Formats that this exchange has. */
export function copyFormatsOf(source: CopySource): readonly CopyFormat[] {
  return COPY_FORMATS.filter((format) => format === 'json' || 'text' in copyAs(format, source));
}

/** The messages as on the wire, one a line as over stdio. */
function copyAsRaw({ requestRaw, responseRaw }: CopySource): Copied {
  const messages = [requestRaw, responseRaw].filter((raw) => raw !== undefined);
  return messages.length === 0 ? { refusal: 'copy.refused.noMessage' } : { text: `${messages.join('\n')}\n`, env: [] };
}
