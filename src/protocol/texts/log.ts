/** Why the event log is in memory only, and why events are missing from it. English; the host translates them. */
export const logTexts = {
  'log.memory.no-path': 'Events are kept in memory, since there is no folder to store them in.',
  'log.memory.cannot-open': 'Events are kept in memory, since the log file cannot be opened: {detail}',
  'log.memory.newer-schema': 'Events are kept in memory, since the log file is of a newer Faultline: {detail}',
  'log.memory.no-sqlite': 'Events are kept in memory, since this Node.js has no SQLite (version 22.5 or later has).',
  'log.memory.corrupt': 'Events are kept in memory, since the log file is damaged: {detail}',
  'log.gap.queue-full': 'Events arrived faster than they could be written.',
  'log.gap.locked': 'Another process kept the log file locked for too long.',
  'log.gap.disk-full': 'The disk was full.',
  'log.gap.read-only': 'The log file could not be written to.',
  'log.gap.corrupt': 'The log file is damaged.',
  'log.gap.io-error': 'The log file could not be written.',
  'log.gap.bad-value': 'An event could not be stored.',
  'log.gap.unreadable': 'An event could not be read back.',
  'log.gap.memory-full': 'The oldest events made room in memory for new ones.',
} as const satisfies Readonly<Record<string, string>>;
