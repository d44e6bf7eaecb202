import type { Services } from '../services.ts';

/** What a person can ask a server for by hand; the questions are a bundle of their own. */
export async function callByHand(
  what: 'callTool' | 'readResource' | 'getPrompt',
  services: Services,
  target: unknown,
): Promise<void> {
  const calls = await import('../calls/lateCalls.ts');
  await calls[what](services, target);
}
