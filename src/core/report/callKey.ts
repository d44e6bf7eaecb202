import type { Exchange } from '../../protocol/exchange.ts';

/**
 * Key of the call of an agent that an exchange belongs to: its own, or that of the first attempt or round. `undefined` for
 * what is no call of a tool by a client's agent, such as a person's replay.
 */
export function agentCallKey(exchange: Exchange): number | undefined {
  const { kind, initiator, method, target, marks, origin, chain, group } = exchange;
  const isCall = kind === 'request' && initiator === 'client' && method === 'tools/call' && target !== undefined;
  if (!isCall || marks.includes('replay') || origin === 'replay' || origin === 'lint') {
    return undefined;
  }
  return group?.kind === 'mrtr' ? group.head : (chain?.head ?? exchange.key);
}
