/** Reasons of the retry loop. English; the host translates them. */
export const retryTexts = {
  'retry.first': 'First attempt.',
  'retry.replay': 'Replayed by a person.',
  'retry.replayEdited': 'Replayed by a person, with other arguments.',
  'retry.rateLimited': 'Repeated: the server said that there were too many requests.',
  'retry.retryAfter': 'Repeated after the wait that the server asked for.',
  'retry.sessionLost': 'Repeated in a new session: the server had forgotten the old one.',
  'retry.internalError': 'Repeated once after an internal error: the request has no side effects.',
  'retry.serverError': 'Repeated after a failure of the HTTP server: the request has no side effects.',
  'retry.lost': 'Repeated after the connection was lost: the request has no side effects.',
  'retry.timeout': 'Repeated after a timeout: the request has no side effects.',
  'retry.notSent': 'Repeated over a new connection: the request had not left.',
  'retry.corrected': 'Repeated once after it was corrected as the server asked.',
  'retry.round': 'Sent again with the input that the server had asked for.',
  'retry.asked': 'Repeated because the replay asks for it.',

  'retry.answered': 'Answered; there is nothing to repeat.',
  'retry.toolOutcome': 'Not repeated: the tool itself reported the failure. You can replay it.',
  'retry.invalidResponse': 'Not repeated: the server answered, though not by the rules.',
  'retry.willFailAgain': 'Not repeated: the same request would be refused again.',
  'retry.needsCorrection': 'Not repeated: the request must be corrected first.',
  'retry.unknownError': 'Not repeated: the error code does not say whether the request was executed.',
  'retry.neverExecuted': 'Not repeated: the request was not executed, and will not be until the cause is fixed.',
  'retry.attemptsUsed': 'Given up: all attempts are used.',
  'retry.onceOnly': 'Given up: this failure is repeated once only.',
  'retry.retryAfterTooLong': 'Given up: the server asked for a longer wait than the settings allow.',
  'retry.budgetUsed': "Given up: this server's retries for the minute are used.",
  'retry.notInPolicy': 'Not repeated: the replay does not ask for it.',
  'retry.cancelled': 'Cancelled.',

  'breaker.open':
    'Not sent: the server is temporarily unavailable. It failed too often of late; one call is let through when its time has come.',
  'loop.refused': 'Not sent: the same call has failed {count} times in a row. Change it, or mend the cause first.',
  'call.notContinuable': 'There is nothing to go on with.',
  'signal.loop.repeated':
    'The same call failed {count} times in a row, the last time with {outcome}. It was not sent again.',

  'idempotent.method': 'May be repeated: the method has no side effects.',
  'idempotent.setting': 'May be repeated: your settings say so.',
  'idempotent.key': 'May be repeated: it carries an idempotency key.',
  'idempotent.readOnlyHint': 'May be repeated: a trusted server calls the tool read-only.',
  'idempotent.idempotentHint': 'May be repeated: a trusted server calls the tool idempotent.',
  'notIdempotent.setting': 'Not repeated: your settings say that the tool has side effects.',
  'notIdempotent.untrusted':
    'Not repeated: the server calls the tool safe to repeat, but the server is not marked as trusted.',
  'notIdempotent.unknown': 'Not repeated: it may have been executed, and nothing says that twice does no harm.',
  'notIdempotent.method': 'Not repeated: it may have been executed, and the method can have side effects.',
} as const satisfies Readonly<Record<string, string>>;
