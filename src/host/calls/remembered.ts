import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';

/** What a workspace keeps between sessions, in the clear. */
interface Memory {
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): Thenable<void>;
}

const KEY = 'faultline.arguments';
/** Tools whose arguments are remembered; the oldest are forgotten. */
const KEPT = 200;
/** A document of this size is nobody's typing, characters. */
const MAX_CHARACTERS = 10_000;
const SECRET_NAME =
  /pass(?:word|wd|phrase)?$|secret|token$|api[-_]?key|private[-_]?key|access[-_]?key|credential|authorization|cookie/i;

/** The last arguments of each tool, without what looks like a secret. */
export class RememberedArguments {
  private readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  of(subject: string): JsonObject | undefined {
    return this.all().find(([key]) => key === subject)?.[1];
  }

  async remember(subject: string, args: JsonObject): Promise<void> {
    const kept = withoutSecrets(args);
    const others = this.all().filter(([key]) => key !== subject);
    const isSmall = JSON.stringify(kept).length <= MAX_CHARACTERS;
    await this.memory.update(KEY, [...others, ...(isSmall ? [[subject, kept]] : [])].slice(-KEPT));
  }

  private all(): readonly (readonly [string, JsonObject])[] {
    return this.memory.get<readonly (readonly [string, JsonObject])[]>(KEY, []);
  }
}

/** A copy without the members whose names say that they are secrets, at any depth. */
export function withoutSecrets(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [] : [[name, cleaned(value)]])),
  );
}

function cleaned(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => cleaned(each));
  }
  return typeof value === 'object' && value !== null ? withoutSecrets(value as JsonObject) : (value ?? null);
}
