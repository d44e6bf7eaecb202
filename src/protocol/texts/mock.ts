/** What a mock says where the recording has nothing to say. English: clients and models read it; the host translates it. */
export const mockTexts = {
  'mock.unknownMethod': '{method} was never called in the recording.',
  'mock.unknownCall': '{target} was never called so in the recording.',
  'mock.close': 'The closest recorded call differs at {places}.',
  'mock.transport': 'In the recording there was no answer: {how}. This transport cannot show that.',
  'mock.version': 'The recording is of revision {revision}, which has no handshake.',
} as const satisfies Readonly<Record<string, string>>;
