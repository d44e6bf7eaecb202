/**
 * Says that a listener of the wire threw, as a warning of the process: visible, but unlike an unhandled rejection never
 * fatal, since one faulty listener must not end the traffic of all servers.
 */
export function warnOfListener(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
