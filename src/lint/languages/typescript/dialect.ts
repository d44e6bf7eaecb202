import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call } from '../../ir.ts';
import { joinPath } from '../paths.ts';

const SAME_METHODS = new Set(['toString', 'trim', 'trimEnd', 'trimStart', 'toJSON', 'valueOf', 'normalize']);

/** The server's own short names for making text of data are among them. */
const SAME_FUNCTIONS =
  /^(?:String|JSON\.stringify|Promise\.resolve|j|json|jsonText|toJson|toJSON|toJsonText|toJsonString|asJson|formatJson|prettyJson|stringify|safeStringify|serialize|serializeJson|jsonStringify)$/;

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const first = call.args[0];
  const object = call.callee.kind === 'member' ? call.callee.object : undefined;
  if (first !== undefined && path !== undefined && !call.isNew && SAME_FUNCTIONS.test(path)) {
    return { kind: 'same', value: first };
  }
  if (object === undefined || name === undefined) {
    return undefined;
  }
  if (SAME_METHODS.has(name)) {
    return { kind: 'same', value: object };
  }
  switch (name) {
    case 'join':
      return { kind: 'startsAs', value: object };
    case 'concat':
      return { kind: 'startsAs', value: object };
    case 'catch':
      return { kind: 'callbacks', before: object, callbacks: call.args, isCatch: true };
    case 'then':
      return { kind: 'callbacks', before: undefined, callbacks: call.args.slice(0, 1), isCatch: false };
    case 'finally':
      return { kind: 'same', value: object };
    default:
      return undefined;
  }
}

const EXTENSIONS = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cjs', '.cts'];

/** `./a.js` may stand for `a.ts`; a name without extension for a file or a folder's index. */
function candidates(from: string, module: string): readonly string[] {
  if (!module.startsWith('.')) {
    return [];
  }
  const stem = joinPath(from, module.replace(/\.(?:[cm]?[jt]sx?)$/, ''));
  return [...EXTENSIONS.map((extension) => stem + extension), `${stem}/index.ts`, `${stem}/index.js`];
}

export const typescriptDialect: Dialect = { meaningOf, candidates, selfNames: new Set(['this']) };
