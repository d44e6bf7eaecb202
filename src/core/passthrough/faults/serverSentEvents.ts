const LF = 0x0a;
const CR = 0x0d;

/** Cuts the bytes of a stream into its events, their blank lines included (HTML, "Server-sent events"). */
export function createEventCutter(take: (event: Uint8Array) => void): { push(bytes: Uint8Array): void; end(): void } {
  let begun: Uint8Array[] = [];
  /** The line that is under way has nothing in it yet. */
  let isBlank = false;
  let wasCr = false;

  function end(): void {
    if (begun.length > 0) {
      const event = Buffer.concat(begun);
      begun = [];
      take(event);
    }
  }

  return {
    push(bytes) {
      let from = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at];
        const isRestOfEnd = byte === LF && wasCr;
        wasCr = byte === CR;
        if (byte !== LF && byte !== CR) {
          isBlank = false;
        } else if (isRestOfEnd) {
          // The second half of a line end; of a blank line it may come after the event was given on, and changes nothing.
        } else if (isBlank) {
          isBlank = false;
          begun.push(bytes.subarray(from, at + 1));
          from = at + 1;
          end();
        } else {
          isBlank = true;
        }
      }
      if (from < bytes.length) {
        begun.push(bytes.subarray(from));
      }
    },
    end,
  };
}

/** The data of an event; `undefined` when it has none. */
export function dataOf(event: Uint8Array): string | undefined {
  const data = linesOf(event).flatMap((line) => {
    const value = /^data(?:: ?(.*))?$/s.exec(line);
    return value === null ? [] : [value[1] ?? ''];
  });
  return data.length === 0 ? undefined : data.join('\n');
}

/** An event with this data, and with all else as in `like`. */
export function eventOf(text: string, like: Uint8Array = new Uint8Array()): string {
  const others = linesOf(like).filter((line) => line !== '' && !/^data(?::|$)/.test(line));
  const lines = [...others, ...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)];
  return `${lines.join('\n')}\n\n`;
}

function linesOf(event: Uint8Array): readonly string[] {
  return Buffer.from(event)
    .toString('utf8')
    .split(/\r\n|\r|\n/);
}
