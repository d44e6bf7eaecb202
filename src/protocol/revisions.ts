/** Published MCP revisions, oldest first. https://modelcontextprotocol.io/specification/versioning */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

/** Revisions that open with the `initialize` handshake; later ones are stateless and carry the version per request. */
export const LEGACY_REVISIONS: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Revisions without a handshake: each request carries its version (2026-07-28, "Versioning"). */
export const MODERN_REVISIONS: readonly Revision[] = ['2026-07-28'];

/** Methods without side effects by specification: repeating one is always safe (outcome reference, "Idempotent"). */
export const SIDE_EFFECT_FREE_METHODS: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'server/discover',
  'ping',
  'tasks/get',
  'tasks/list',
]);

/** True for the stateless revisions: 2026-07-28 and whatever comes after it. */
export function isModern(revision: string | undefined): boolean {
  return revision !== undefined && /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= '2026-07-28';
}
