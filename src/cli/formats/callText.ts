import { assertNever } from '../../base/assertNever.ts';
import { safeLine, safeText } from '../../base/safeText.ts';
import { pagesAskedFor } from '../../core/client/pagesAskedFor.ts';
import type { CallOutcome, RawEnd } from '../../protocol/call.ts';
import { isObject } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { attemptLines, outcomeText, reasonLines, type Style, verdictOf } from './verdictText.ts';

/** An address is shown whole, since it is what a person decides by; beyond this it is no address that a browser takes. */
const MAX_URL = 8000;

/** What became of a call, for a person: outcome, attempts, reasons, and the answer itself. */
export function callAsText(server: string, tool: string, call: CallOutcome, style: Style): string {
  const verdict = verdictOf(call);
  const took = call.attempts.reduce((sum, attempt) => sum + attempt.delayMs + attempt.durationMs, 0);
  const head = `${outcomeText(call.kind, verdict.partial, style)} in ${Math.round(took)} ms: ${server} ${tool}`;
  const lines = [head, ...attemptLines(call, style), ...reasonLines(verdict, style)];
  const answer = answerText(call.detail.end);
  for (const { url, message } of pagesAskedFor(call.detail.end)) {
    lines.push(`  open     ${safeLine(url.href, MAX_URL)}${message === '' ? '' : ` (${safeLine(message, 200)})`}`);
  }
  return `${lines.join('\n')}\n${answer === '' ? '' : `\n${answer}\n`}`;
}

/** The answer as it can be read, or what came in its place. Safe for a terminal, at any length. */
function answerText(end: RawEnd): string {
  switch (end.kind) {
    case 'result':
      return safeText(resultText(end.result));
    case 'error':
      return safeText(`${end.error.code} ${end.error.message}`);
    case 'invalid':
      return safeText(end.raw);
    case 'timeout':
      return `no answer within ${Math.round(end.afterMs)} ms${end.progressSeen ? ', though there was progress' : ''}`;
    case 'cancelled':
      return '';
    case 'transport': {
      const stderr = (end.failure.stderrTail ?? []).map((line) => `stderr: ${safeLine(line, 400)}`);
      return [safeText(end.failure.message), ...stderr].join('\n');
    }
    default:
      return assertNever(end);
  }
}

function resultText(result: JsonValue): string {
  const { content, contents, messages } = isObject(result) ? result : {};
  const blocks = Array.isArray(content) ? content : contents;
  if (Array.isArray(blocks)) {
    return blocks.map(blockText).join('\n');
  }
  return Array.isArray(messages) ? messages.map(messageText).join('\n\n') : JSON.stringify(result, undefined, 2);
}

/** A message of a prompt, with who says it. */
function messageText(message: JsonValue): string {
  const { role, content } = isObject(message) ? message : {};
  return `${typeof role === 'string' ? role : '?'}: ${blockText(content ?? null)}`;
}

function blockText(block: JsonValue): string {
  const { text } = isObject(block) ? block : {};
  return typeof text === 'string' ? text : safeLine(JSON.stringify(block), 400);
}
