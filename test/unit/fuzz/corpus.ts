import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LogEvent } from '../../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/jsonrpc.ts';

const fixtures = path.resolve(import.meta.dirname, '../../fixtures');
const MAX_CHARS = 4000;

function lines(file: string): readonly string[] {
  return readFileSync(path.join(fixtures, file), 'utf8').trim().split('\n');
}

/** Messages as servers and clients sent them, from the recorded sessions and exchanges of this repository. */
export function corpus(): readonly JsonValue[] {
  const sessions = readdirSync(path.join(fixtures, 'golden')).filter((file) => file.endsWith('.jsonl'));
  const messages = sessions.flatMap((file) =>
    lines(`golden/${file}`).flatMap((line) => {
      const { body } = JSON.parse(line) as LogEvent;
      return body.kind === 'message' && body.raw.length <= MAX_CHARS ? [parsed(body.raw)] : [];
    }),
  );
  const exchanges = lines('wire/wire.dev.jsonl').flatMap((line) => {
    const record = JSON.parse(line) as JsonObject;
    return [record['request'], record['response']].flatMap((message) =>
      typeof message === 'object' && message !== null && JSON.stringify(message).length <= MAX_CHARS ? [message] : [],
    );
  });
  return [...messages, ...exchanges].filter((message) => message !== undefined);
}

function parsed(raw: string): JsonValue {
  try {
    return JSON.parse(raw) as JsonValue;
  } catch {
    return raw;
  }
}
