import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import { createFaultEngine } from '../../core/passthrough/faults/engine.ts';
import { createStdioFaults } from '../../core/passthrough/faults/stdioFaults.ts';
import {
  answerInstead,
  breakOff,
  createTapHttpFaults,
  passBroken,
} from '../../core/passthrough/faults/tapHttpFaults.ts';
import type { HttpTapFaults } from '../../core/passthrough/httpTap.ts';
import type { Tape } from '../../core/passthrough/tape.ts';
import { exitCodes } from '../exitCodes.ts';
import { readFaultsOption } from '../faults.ts';
import { complain } from './tapRecording.ts';
import type { TapFaults, TapRecord } from './tapUsage.ts';

/** The faults of a tap, over either transport. */
export interface OpenTapFaults {
  readonly stdio: ReturnType<typeof createStdioFaults>;
  http(tape: Tape): HttpTapFaults;
}

/**
 * Reads the faults that a tap was asked for and says on stderr that they are on. What cannot be read ends the tap before it
 * has begun: one that forwarded without faults would have a person believe what was never tried.
 */
export async function openTapFaults(
  { name, seed }: TapFaults,
  transport: 'stdio' | 'http',
  { server }: TapRecord,
  fallbackServer: string,
): Promise<OpenTapFaults | 'wrong'> {
  const read = await readFaultsOption(name, process.cwd());
  if ('problem' in read) {
    complain(read.problem);
    process.exitCode = exitCodes.failed;
    return 'wrong';
  }
  const { plan } = read;
  const engine = createFaultEngine({ plan, seed, transport, server: [server ?? fallbackServer], clock: systemClock });
  complain(
    `injecting faults on purpose: ${plan.name ?? name}, ${plan.rules.length} rules, seed ${seed ?? plan.seed ?? 1}`,
  );
  return {
    stdio: createStdioFaults(engine, systemClock),
    http: (tape) => ({
      clock: systemClock,
      requests: createTapHttpFaults(engine, systemClock, tape),
      module: { answerInstead, breakOff, passBroken },
    }),
  };
}
