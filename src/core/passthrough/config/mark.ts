/**
 * What tells a tapped entry from any other, written into the entry itself, so that it can be undone from the file alone.
 *
 * stdio: an argument before the server's own command, `--tapped=<id>`, with a `+` when the entry had no `args` before.
 * HTTP: the fragment of the URL, which no client sends, `#tapped=<id>=<scheme and authority of the server>`.
 */

/** Eight hexadecimal digits. */
export type TapId = string;

const ARGUMENT = /^--tapped=([0-9a-f]{8})(\+?)$/;

export function markArgument(id: TapId, hadArgs: boolean): string {
  return `--tapped=${id}${hadArgs ? '' : '+'}`;
}

/** What the argument says; `undefined` when it is none. */
export function readMarkArgument(argument: unknown): { readonly id: TapId; readonly hadArgs: boolean } | undefined {
  const match = typeof argument === 'string' ? ARGUMENT.exec(argument) : null;
  return match?.[1] === undefined ? undefined : { id: match[1], hadArgs: match[2] === '' };
}

/** The address of the listener in the place of the server's: `rest` is path and query, as written. */
export function tappedAddress(id: TapId, port: number, origin: string, rest: string): string {
  return `http://127.0.0.1:${port}${rest}#tapped=${id}=${origin}`;
}

const ADDRESS = /^http:(?:\\?\/){2}127\.0\.0\.1:(\d{1,5})([^#]*)#tapped=([0-9a-f]{8})=(https?:.*)$/i;

export interface TappedAddress {
  readonly id: TapId;
  readonly port: number;
  /** The server's own address, as it was written. */
  readonly original: string;
}

/** Takes a tapped address apart, written plainly or as the inside of a JSON string; `undefined` when it is none. */
export function readTappedAddress(address: string): TappedAddress | undefined {
  const match = ADDRESS.exec(address);
  const [, port, rest, id, origin] = match ?? [];
  return port === undefined || rest === undefined || id === undefined || origin === undefined
    ? undefined
    : { id, port: Number(port), original: origin + rest };
}
