import type { Expression } from '../ir.ts';
import { isErrorName } from './wording.ts';

/** Errors that something else is about: `ErrorReport`, `error_log`. */
const ABOUT =
  /(?:reports?|logs?|logger|summar(?:y|ies)|stats|statistics|lists?|history|analy(?:sis|zer|ses)|events?|groups?|counts?|codes?|rates?|trends?|handlers?|boundary|patterns?)$/i;
/** Functions that refuse, by their names. */
const REFUSES =
  /^_*(?:(?:make|create|build|format|return|to|as)_?)?(?:bad|invalid|missing|not_?found|unauthori[sz]ed|forbidden|denied|deny|reject|refuse|unsupported|unavailable)(?:$|_|[A-Z])/;

/**
 * What the callee's name says of a call of something that this file does not show: `class` for an object of an error
 * class or what its static methods make (`new ToolError(…)`, `ApiError.create(…)`), `helper` for a function that is
 * named after errors (`format_error(e)`). Undefined for anything else.
 */
export function errorMaker(call: Expression): 'class' | 'helper' | undefined {
  if (call.kind !== 'call') {
    return undefined;
  }
  const { callee } = call;
  const name = callee.kind === 'member' || callee.kind === 'name' ? callee.name : '';
  const owner = callee.kind === 'member' && callee.object.kind === 'name' ? callee.object.name : '';
  if (isErrorClass(name) || isErrorClass(owner) || (/^[A-Z]/.test(name) && call.args.some(isErrorWord))) {
    return 'class';
  }
  return (isErrorName(name) || REFUSES.test(name)) && !ABOUT.test(name) ? 'helper' : undefined;
}

/** `new Answer("error", …)`. */
const isErrorWord = (argument: Expression) =>
  argument.kind === 'text' &&
  argument.parts.length === 1 &&
  /^(?:error|failed|failure)$/i.test(String(argument.parts[0]));

/** The text that an error is made with, by its name or as the only argument that reads like a sentence. */
export function sentenceIn(call: Expression): Expression | undefined {
  if (call.kind !== 'call') {
    return undefined;
  }
  const named = call.named.find(({ key, value }) => value.kind === 'text' && MESSAGE.test(key ?? ''))?.value;
  return named ?? call.args.find((argument) => argument.kind === 'text' && argument.parts.some(isSentence));
}

const MESSAGE = /^(?:message|msg|error|text|detail)$/i;
const isSentence = (part: string | Expression) => typeof part === 'string' && /\S\s+\S/.test(part);

const isErrorClass = (name: string) => /^[A-Z]\w*[a-z]/.test(name) && isErrorName(name) && !ABOUT.test(name);

/** `createErrorResponse`, `tool_error_result`: whatever it gives back is an error. */
const MAKES_ERRORS =
  /^_*(?:(?:make|create|build|format|to|as|get)_?)?(?:[a-zA-Z]+_?)?[eE]rror_?(?:Response|Result|Reply|Content|Output|Message|response|result|reply|content|output|message)$/;
export const makesErrors = (name: string | undefined) =>
  name !== undefined && MAKES_ERRORS.test(name) && !/^_*(?:handle|on|catch|with|parse|is|has|log)/i.test(name);

/** It goes on after an error, or throws it: `fall_back(e)`, `noop_or_raise(e)`. */
export const recovers = (name: string | undefined) =>
  name !== undefined && /raise|throw|retry|fall_?back|recover|again|default|attempt|reconnect/i.test(name);
