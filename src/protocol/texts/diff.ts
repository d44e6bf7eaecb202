/** How the end of one call differs from that of another. English; the host translates them. */
export const diffTexts = {
  'diff.same': '{after}, as before',
  'diff.sameOnAttempt': '{after}, as before, on attempt {attempt} after {seconds} s',
  'diff.changed': '{before} → {after}',
  'diff.changedOnAttempt': '{before} → {after} on attempt {attempt} after {seconds} s',

  'diff.volatile.id': 'generated id',
  'diff.volatile.timestamp': 'time',
  'diff.volatile.duration': 'duration',
  'diff.volatile.cursor': 'cursor',
  'diff.volatile.token': 'token',
} as const satisfies Readonly<Record<string, string>>;
