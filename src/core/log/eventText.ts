import type { LogEvent } from '../../protocol/events.ts';

/** The text of an event in which a search looks: what was on the wire, or the event's body as JSON. */
function textOf({ body }: LogEvent): string {
  return body.kind === 'message' || body.kind === 'noise' ? body.raw : JSON.stringify(body);
}

/** Tests events for a text, without regard to case. What a person sees as a quote or a line end is an escape in JSON. */
export function eventTextTest(text: string): (event: LogEvent) => boolean {
  const plain = text.toLowerCase();
  const escaped = JSON.stringify(plain).slice(1, -1);
  return (event) => {
    const within = textOf(event).toLowerCase();
    return within.includes(plain) || (escaped !== plain && within.includes(escaped));
  };
}
