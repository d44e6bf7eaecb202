import type { MessageBody, NoiseBody } from '../../protocol/events.ts';
import { isMeantAsJsonRpc, type ParsedFrame, parseFrame } from './envelope.ts';
import type { FramedLine } from './lineFramer.ts';

/** What a line of stdout is: a message with its parsed form, or noise. */
export type StdoutItem =
  | { readonly body: MessageBody; readonly parsed: ParsedFrame }
  | { readonly body: NoiseBody; readonly parsed?: undefined };

const LSP_HEADER = /^Content-(?:Length|Type):/i;
/** A body of LSP has no line end, so the next header stands right behind it. */
const LSP_HEADER_AFTER_BODY = /\}Content-Length: ?\d+$/i;

/**
 * Sorts lines of stdout. Remembers that the server frames its messages as the Language Server Protocol does, a common
 * slip, so that what comes between the headers is named for what it is.
 */
export function createStdoutReader(): (line: FramedLine) => StdoutItem {
  let isLsp = false;

  function noise(line: FramedLine, problem: NoiseBody['problem']): StdoutItem {
    const { kind: _, ...rest } = line;
    return { body: { kind: 'noise', stream: 'stdout', problem, ...rest } };
  }

  return (line) => {
    if (line.kind === 'too-large') {
      return noise(line, 'frame-too-large');
    }
    if (LSP_HEADER.test(line.raw)) {
      isLsp = true;
      return noise(line, 'lsp-framing');
    }
    if (line.kind === 'unterminated') {
      return noise(line, isLsp ? 'lsp-framing' : 'unterminated');
    }
    const parsed = parseFrame(line.raw);
    if (isMeantAsJsonRpc(parsed.message)) {
      const { kind: _, ...rest } = line;
      return { body: { kind: 'message', direction: 'received', envelope: parsed.envelope, ...rest }, parsed };
    }
    if (isLsp && (line.raw === '' || LSP_HEADER_AFTER_BODY.test(line.raw))) {
      return noise(line, 'lsp-framing');
    }
    return noise(line, parsed.message === undefined ? 'not-json' : 'not-jsonrpc');
  };
}
