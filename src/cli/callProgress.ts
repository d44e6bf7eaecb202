import type { Clock } from '../base/clock.ts';
import { safeLine } from '../base/safeText.ts';
import type { CallOptions } from '../core/client/pool.ts';
import { sentence } from './formats/verdictText.ts';
import type { Terminal } from './terminal.ts';

/** A server may report progress as often as it likes; a person reads a few lines a second. */
const LINE_EVERY_US = 250_000;
const MAX_MESSAGE = 200;

/**
 * Tells on stderr what a call is doing while it is under way, so that stdout stays the answer alone: the progress that the
 * server reports (MCP, progress), at most a line every 250 ms and its end in any case, and what is waited for before
 * another attempt.
 */
export function tellProgress(terminal: Pick<Terminal, 'err'>, clock: Pick<Clock, 'monoUs'>): CallOptions {
  let toldUs = Number.NEGATIVE_INFINITY;
  return {
    onProgress({ progress, total, message }) {
      const nowUs = clock.monoUs();
      const isEnd = total !== undefined && progress >= total;
      if (!isEnd && nowUs - toldUs < LINE_EVERY_US) {
        return;
      }
      toldUs = nowUs;
      const done = total === undefined ? String(progress) : `${progress} of ${total}`;
      const said = message === undefined || message === '' ? '' : `: ${safeLine(message, MAX_MESSAGE)}`;
      terminal.err(`faultline: progress ${done}${said}\n`);
    },
    onAttempt({ decision, number, maxAttempts, delayMs = 0, reason }) {
      if (decision === 'wait') {
        terminal.err(
          `faultline: attempt ${number} of ${maxAttempts} in ${Math.round(delayMs)} ms: ${sentence(reason)}\n`,
        );
      }
    },
  };
}
