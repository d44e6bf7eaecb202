/** What is wrong with a session file, and what an export left out. English; the host translates them. */
export const sessionTexts = {
  'session.unreadable': 'The file cannot be read: {detail}',
  'session.no-header': 'This is not a Faultline session: its first line is no header.',
  'session.newer':
    'This session was written in version {version} of the format, and this Faultline reads up to {known}.',
  'session.too-long': 'Line {line} is longer than {limit} bytes and was skipped.',
  'session.too-deep': 'Line {line} is nested deeper than {limit} levels and was skipped.',
  'session.not-utf8': 'Line {line} is not UTF-8 and was skipped.',
  'session.not-json': 'Line {line} is not JSON and was skipped.',
  'session.bad-event': 'Line {line} is not an event ({detail}) and was skipped.',
  'session.order': 'Line {line} has a number that is not above the one before it, and was skipped.',
  'session.truncated': 'The file has no last line: it was cut, and events may be missing.',
  'session.count': 'The file should hold {expected} events and holds {found}.',
  'session.checksum': 'The file was changed after it was written: its checksum differs.',
  'session.after-end': 'Line {line} comes after the end of the session and was skipped.',
  'session.too-large': 'The session is larger than what is shown: the first {events} events are.',
  'leftOut.stderr': 'what servers wrote to stderr',
  'leftOut.large-payload': 'messages over a size',
  'leftOut.other-exchange': 'exchanges that were not chosen',
  'leftOut.working-folder': 'the folders that servers ran in',
  'leftOut.environment': 'environment variables (they are never recorded)',
} as const satisfies Readonly<Record<string, string>>;
