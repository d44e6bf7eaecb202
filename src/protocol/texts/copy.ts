/** Why an exchange cannot be copied in some form. English; the host translates them. */
export const copyTexts = {
  'copy.refused.noHttp': 'Only a request that was sent over HTTP can be copied as curl.',
  'copy.refused.notATool': 'Only the call of a tool can be copied as a command line.',
  'copy.refused.noServer': 'The server is no longer defined, so nothing says how to reach it.',
  'copy.refused.notACall': 'Only a request of the client can be copied as a test.',
  'copy.refused.noOutcome': 'There is no end yet that a test could ask for.',
  'copy.refused.noPython': 'Only tool calls, resources and prompts can be copied as a pytest test.',
  'copy.refused.tooDeep': 'It nests more deeply than can be written.',
  'copy.refused.noMessage': 'No message of it is recorded any more.',
} as const satisfies Readonly<Record<string, string>>;
