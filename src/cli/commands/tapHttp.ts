import { readFileSync } from 'node:fs';
import process from 'node:process';
import { messageOf } from '../../base/messageOf.ts';
import { type HttpTap, openHttpTap } from '../../core/passthrough/httpTap.ts';
import { exitCodes } from '../exitCodes.ts';
import { closeRecorder, complain, openRecorder } from './tapRecording.ts';
import type { TapRequest } from './tapUsage.ts';

/** What is under way when the tap is ended may take so long, ms; a second signal is for those who cannot wait. */
const GRACE_MS = 2000;

/** `faultline tap --http`: forwards until SIGINT or SIGTERM. Never rejects. */
export async function tapHttp(request: Extract<TapRequest, { kind: 'http' }>): Promise<void> {
  const { url, host, port, token, record } = request;
  const faults = request.faults === undefined ? undefined : await openFaults(request.faults, 'http', record, url.host);
  if (faults === 'wrong') {
    return;
  }
  const recorder = openRecorder(record, 'http', url.host);
  let tap: HttpTap;
  try {
    const ca = request.ca === undefined ? undefined : readFileSync(request.ca, 'utf8');
    tap = await openHttpTap({ url, ca, host, port, token, tape: recorder.tape, faults: faults?.http(recorder.tape) });
  } catch (error) {
    complain(messageOf(error));
    process.exitCode = exitCodes.failed;
    return;
  }
  recorder.start();
  const { address, family, port: taken } = tap.address;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  complain(`listening on http://${shown}:${taken}${url.pathname} for ${url.origin}${url.pathname}`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
  const hurry = () => process.exit(exitCodes.found);
  process.once('SIGINT', hurry).once('SIGTERM', hurry);
  await tap.close(GRACE_MS);
  await closeRecorder(recorder);
  process.exit(exitCodes.clean);
}

async function openFaults(...given: Parameters<typeof import('./tapFaults.ts').openTapFaults>) {
  const { openTapFaults } = await import('./tapFaults.ts');
  return openTapFaults(...given);
}
