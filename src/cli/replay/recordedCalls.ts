import {
  isRefusal,
  type RecordedRequest,
  type Refusal,
  recordedRequest,
  recordedUrl,
} from '../../core/replay/recordedRequest.ts';
import { jsonOrText, type RecordedEnd, recordedEnd } from '../../core/replay/replayComparison.ts';
import type { ToolHints } from '../../core/resilience/idempotency.ts';
import type { EventBody, LogEvent, ServerId } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { memberOf } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';

/** A recorded call with what a replay of it needs. */
export interface RecordedCall {
  /** Of the row: the key of the first attempt. */
  readonly key: number;
  /** The attempt that ended it. */
  readonly exchange: Exchange;
  readonly request: RecordedRequest | Refusal;
  readonly before: RecordedEnd;
  /** Where it was posted to; `undefined` over stdio. */
  readonly url: string | undefined;
}

/** What a person means by calls. Listings and pings are the client's own business, unless they failed and are asked for. */
const MEANT_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/**
 * The calls of a client among exchanges, in their order: one a chain of attempts, without replays, handshakes, further rounds
 * and further pages. `isWanted` is asked of each first attempt and the end.
 */
export function chooseCalls(
  exchanges: readonly Exchange[],
  isWanted?: (head: Exchange, end: Exchange) => boolean,
): readonly { readonly head: Exchange; readonly end: Exchange }[] {
  const ends = new Map<number, Exchange>();
  const heads = new Map<number, Exchange>();
  for (const exchange of exchanges) {
    const head = exchange.chain?.head ?? exchange.key;
    if (exchange.key === head) {
      heads.set(head, exchange);
    }
    const last = ends.get(head);
    if (last === undefined || (exchange.chain?.attempt ?? 1) >= (last.chain?.attempt ?? 1)) {
      ends.set(head, exchange);
    }
  }
  return [...heads.values()]
    .map((head) => ({ head, end: ends.get(head.key) ?? head }))
    .filter(({ head, end }) => isCall(head) && isMeant(head, end, isWanted));
}

function isMeant(head: Exchange, end: Exchange, isWanted?: (head: Exchange, end: Exchange) => boolean): boolean {
  const isCallsOwn = MEANT_METHODS.has(head.method);
  return isWanted === undefined
    ? isCallsOwn
    : (isCallsOwn || FAILURE_KINDS.has(end.verdict?.outcome ?? 'pending')) && isWanted(head, end);
}

function isCall({ kind, initiator, method, marks, group }: Exchange): boolean {
  const isFurther = group !== undefined && group.index > 0;
  const isOwn = marks.includes('replay') || marks.includes('era_probe') || method === 'initialize';
  return kind === 'request' && initiator === 'client' && !isOwn && !isFurther;
}

/** Reads from the events what replays of these calls need; the events are read once, from the beginning. */
export async function readCalls(
  chosen: readonly { readonly head: Exchange; readonly end: Exchange }[],
  exchanges: ReadonlyMap<number, Exchange>,
  events: AsyncIterable<LogEvent>,
): Promise<readonly RecordedCall[]> {
  const seqs = new Set(chosen.flatMap(({ end }) => [end.key, ...end.related, end.endSeq ?? end.key].map(Math.floor)));
  const bodies = new Map<number, EventBody>();
  for await (const { seq, body } of events) {
    if (seqs.has(seq)) {
      bodies.set(seq, body);
    }
  }
  return chosen.map(({ head, end }) => {
    const answer = end.endSeq === undefined ? undefined : bodies.get(Math.floor(end.endSeq));
    return {
      key: head.key,
      exchange: end,
      request: recordedRequest(end, bodies.get(Math.floor(end.key))),
      before: recordedEnd(end, exchanges.get(head.key)?.startUs, answer),
      url: recordedUrl(end, (seq) => bodies.get(seq)),
    };
  });
}

/** What recorded servers said of their tools, by server and tool: the newest listing counts. */
export async function recordedHints(
  exchanges: readonly Exchange[],
  events: AsyncIterable<LogEvent>,
): Promise<(server: ServerId, tool: string) => ToolHints | undefined> {
  const answers = new Map(
    exchanges.flatMap(({ method, endSeq, server }) =>
      method === 'tools/list' && endSeq !== undefined ? [[Math.floor(endSeq), server] as const] : [],
    ),
  );
  const hints = new Map<string, ToolHints>();
  for await (const { seq, body } of events) {
    const server = answers.get(seq);
    if (server !== undefined && body.kind === 'message') {
      for (const tool of toolsIn(jsonOrText(body.raw))) {
        hints.set(`${server}\n${tool.name}`, tool.hints);
      }
    }
  }
  return (server, tool) => hints.get(`${server}\n${tool}`);
}

function toolsIn(message: JsonValue): readonly { readonly name: string; readonly hints: ToolHints }[] {
  const result = memberOf(message, 'result');
  const tools = memberOf(result, 'tools');
  return (Array.isArray(tools) ? tools : []).flatMap((tool: JsonValue) => {
    const name = memberOf(tool, 'name');
    const annotations = memberOf(tool, 'annotations');
    const said = (hint: keyof ToolHints) => (memberOf(annotations, hint) === true ? { [hint]: true } : {});
    return typeof name === 'string' ? [{ name, hints: { ...said('readOnlyHint'), ...said('idempotentHint') } }] : [];
  });
}

/** A call that can be sent, by what is recorded of it. */
export type SendableCall = RecordedCall & { readonly request: RecordedRequest };

export function isSendable(call: RecordedCall): call is SendableCall {
  return !isRefusal(call.request);
}
