/** What a replay says: why it asks, why it does not send, how it ended. English; the host translates them. */
export const replayTexts = {
  'replay.notConfirmed': 'Not replayed: it was not confirmed.',
  'replay.confirm.setting': 'Your settings say that {target} has side effects. Replaying it may do them again.',
  'replay.confirm.untrusted':
    '{server} calls {target} safe to repeat, but is not marked as trusted. Replaying it may repeat side effects.',
  'replay.confirm.unknown': 'Nothing says that {target} is safe to repeat. Replaying it may repeat side effects.',
  'replay.confirm.method': '{target} can have side effects. Replaying it may do them again.',

  'replay.refused.notClient': 'Only a request of the client can be replayed.',
  'replay.refused.handshake': 'The handshake is replayed by restarting the server.',
  'replay.refused.bound': '{method} says something only within the connection that it was sent over.',
  'replay.refused.gone': 'The request is no longer recorded.',
  'replay.refused.redacted':
    'The request held secrets, which were not recorded, so it cannot be sent again as it was. Edit and Replay lets you fill them in.',
  'replay.refused.noServer': 'The server "{server}" is not defined here. Choose one to send the request to.',

  'replay.skipped.loop': 'Not sent: the same call has failed {count} times in a row.',
  'replay.skipped.tooMany': 'Not sent: at most {limit} calls are replayed at once.',
  'replay.skipped.notOpened': 'Not sent: there was no leave to start the server.',
  'replay.skipped.cancelled': 'Not sent: the replay was cancelled.',
  'replay.cancelled': 'Cancelled after attempt {attempt}, which ended as {after}.',
  'replay.cancelledUnsent': 'Cancelled before anything was sent.',

  'policy.unknownPreset': 'There is no policy {name}; there are {names}.',
  'policy.unknownWord': 'A policy has no {word}; it has {words}.',
  'policy.unknownOutcome': 'A replay cannot repeat {name}; it can repeat {names}, or none.',
  'policy.badNumber': '{value} is not what {word} can be: {range}.',
} as const satisfies Readonly<Record<string, string>>;
