import { shorten } from '../json.ts';
import { type AnomalyDetector, NONE } from './scene.ts';

/** Frames of stack traces, as the runtimes print them. Each is looked for in a bounded part of the text. */
const FRAMES: readonly RegExp[] = [
  /^\s{1,8}at (?:async )?[^\n()]{1,200}\((?:file:\/\/|node:|[A-Za-z]:\\|\/)[^\n)]{1,300}:\d+:\d+\)/m,
  /^\s{1,8}at (?:file:\/\/|node:|[A-Za-z]:\\|\/)[^\n]{1,300}:\d+:\d+$/m,
  /^Traceback \(most recent call last\):/m,
  /^\s{0,8}File "[^"\n]{1,300}", line \d+, in /m,
  /^\s{1,8}at (?:[\w$]{1,60}\.){1,12}[\w$<>]{1,80}\((?:[\w$]{1,80}\.(?:java|kt|scala):\d+|Native Method)\)/m,
  /^\s{1,8}at [\w.<>`+[\], ]{1,200}\([^)\n]{0,200}\) in [^\n]{1,300}:line \d+/m,
  /^goroutine \d+ \[[a-z ]{1,40}\]:/m,
  /^\t?\/[^\n]{1,300}\.go:\d+ \+0x[0-9a-f]+/m,
  /^thread '[^'\n]{0,80}' (?:\(\d+\) )?panicked at /m,
  /^#\d{1,3} \/[^\n]{1,300}\.php\(\d+\): /m,
  /^[^\n:]{1,200}\.rb:\d{1,6}:in [`']/m,
];
const FAILED: ReadonlySet<string> = new Set(['tool_error', 'silent_error', 'protocol_error']);
const MAX_TEXT = 8000;

/** A stack trace in an error: of no use to a model, and it shows paths and versions. */
export const detectTrace: AnomalyDetector = (scene) => {
  const { placed, sender } = scene;
  const isError = placed.as === 'settled' && sender === 'server' && FAILED.has(placed.state.verdict?.outcome ?? '');
  for (const { text, pointer } of isError ? scene.texts() : []) {
    const part = text.slice(0, MAX_TEXT);
    const frame = FRAMES.map((pattern) => pattern.exec(part)?.[0]).find((found) => found !== undefined);
    if (frame !== undefined) {
      return [{ code: 'stackTraceInError', args: { text: shorten(frame) }, pointer }];
    }
  }
  return NONE;
};
