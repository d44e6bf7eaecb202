import { isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import { methodEntry } from '../../../protocol/methods.ts';
import { isModern } from '../../../protocol/revisions.ts';
import { get } from '../json.ts';
import { type AnomalyDetector, NONE } from './scene.ts';

/** What was not declared in the handshake must not be used (to 2025-11-25, "Capability Negotiation"). */
export const detectCapability: AnomalyDetector = ({ connection, method, sender, revision }) => {
  const { facts } = connection;
  const entry = method === undefined ? undefined : methodEntry(method);
  if (method === undefined || entry?.capability === undefined || isModern(revision) || !facts.initializeAnswered) {
    return NONE;
  }
  const [owner, capability] = entry.capability;
  const declared = owner === 'server' ? facts.serverCapabilities : facts.clientCapabilities;
  if (declared === undefined || entry.sender !== sender || isDeclared(declared, capability)) {
    return NONE;
  }
  // Said once: a server that logs without having declared it does so all the time.
  if (facts.said.has(`capability ${method}`)) {
    return NONE;
  }
  facts.said.add(`capability ${method}`);
  return [{ code: 'capabilityUndeclared', args: { method, sender, owner, capability }, pointer: '/method' }];
};

/** `tools.listChanged` needs both: an object `tools`, and `true` in it. */
function isDeclared(capabilities: JsonObject, path: string): boolean {
  let value: JsonValue | undefined = capabilities;
  for (const step of path.split('.')) {
    value = isObject(value) ? get(value, step) : undefined;
  }
  return value !== undefined && value !== null && value !== false;
}
