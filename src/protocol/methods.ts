import type { Revision } from './revisions.ts';

/** Who may send a message, and the revisions that have it; without `until` all later ones. */
export interface MethodEntry {
  readonly sender: 'client' | 'server' | 'either';
  readonly from: Revision;
  readonly until?: Revision;
  /** Declared in the handshake, by the side that answers or, of a notification, that sends. Dots lead into objects. */
  readonly capability?: readonly [owner: 'client' | 'server', name: string];
}

const LEGACY = { from: '2024-11-05', until: '2025-11-25' } as const;
const ALWAYS = { from: '2024-11-05' } as const;
const MODERN = { from: '2026-07-28' } as const;

/** Every method of MCP (`schema.ts` of each revision: `ClientRequest`, `ServerRequest` and the notifications). */
const METHODS: Readonly<Record<string, MethodEntry>> = {
  initialize: { sender: 'client', ...LEGACY },
  ping: { sender: 'either', ...LEGACY },
  'server/discover': { sender: 'client', ...MODERN },
  'subscriptions/listen': { sender: 'client', ...MODERN },
  'tools/list': { sender: 'client', ...ALWAYS, capability: ['server', 'tools'] },
  'tools/call': { sender: 'client', ...ALWAYS, capability: ['server', 'tools'] },
  'prompts/list': { sender: 'client', ...ALWAYS, capability: ['server', 'prompts'] },
  'prompts/get': { sender: 'client', ...ALWAYS, capability: ['server', 'prompts'] },
  'resources/list': { sender: 'client', ...ALWAYS, capability: ['server', 'resources'] },
  'resources/templates/list': { sender: 'client', ...ALWAYS, capability: ['server', 'resources'] },
  'resources/read': { sender: 'client', ...ALWAYS, capability: ['server', 'resources'] },
  'resources/subscribe': { sender: 'client', ...LEGACY, capability: ['server', 'resources.subscribe'] },
  'resources/unsubscribe': { sender: 'client', ...LEGACY, capability: ['server', 'resources.subscribe'] },
  'completion/complete': { sender: 'client', ...ALWAYS },
  'logging/setLevel': { sender: 'client', ...LEGACY, capability: ['server', 'logging'] },
  'sampling/createMessage': { sender: 'server', ...LEGACY, capability: ['client', 'sampling'] },
  'roots/list': { sender: 'server', ...LEGACY, capability: ['client', 'roots'] },
  'elicitation/create': {
    sender: 'server',
    from: '2025-06-18',
    until: '2025-11-25',
    capability: ['client', 'elicitation'],
  },
  'tasks/get': { sender: 'either', from: '2025-11-25' },
  'tasks/cancel': { sender: 'either', from: '2025-11-25' },
  'tasks/list': { sender: 'either', from: '2025-11-25', until: '2025-11-25' },
  'tasks/result': { sender: 'either', from: '2025-11-25', until: '2025-11-25' },
  'tasks/update': { sender: 'client', ...MODERN },
  'notifications/initialized': { sender: 'client', ...LEGACY },
  'notifications/roots/list_changed': { sender: 'client', ...LEGACY, capability: ['client', 'roots.listChanged'] },
  'notifications/cancelled': { sender: 'either', ...ALWAYS },
  'notifications/progress': { sender: 'either', ...ALWAYS },
  'notifications/message': { sender: 'server', ...ALWAYS, capability: ['server', 'logging'] },
  'notifications/tools/list_changed': { sender: 'server', ...ALWAYS, capability: ['server', 'tools.listChanged'] },
  'notifications/prompts/list_changed': { sender: 'server', ...ALWAYS, capability: ['server', 'prompts.listChanged'] },
  'notifications/resources/list_changed': {
    sender: 'server',
    ...ALWAYS,
    capability: ['server', 'resources.listChanged'],
  },
  'notifications/resources/updated': { sender: 'server', ...ALWAYS, capability: ['server', 'resources.subscribe'] },
  'notifications/elicitation/complete': { sender: 'server', from: '2025-11-25', until: '2025-11-25' },
  'notifications/tasks/status': { sender: 'either', from: '2025-11-25', until: '2025-11-25' },
  'notifications/tasks': { sender: 'server', ...MODERN },
  'notifications/subscriptions/acknowledged': { sender: 'server', ...MODERN },
};

/** The entry of a method, or `undefined` of one that is not MCP's. */
export function methodEntry(method: string): MethodEntry | undefined {
  return Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
}
