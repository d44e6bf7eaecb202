/** Messages of the lint and titles of its fixes. English; the host translates them. */
export const lintTexts = {
  'lint.returnedError.text': '“{tool}” returns an error message as a success: the client and the model see no error.',
  'lint.returnedError.object': '“{tool}” returns an error object as a success: the client and the model see no error.',
  'lint.returnedError.caught':
    '“{tool}” returns the error that it caught as a success: the client and the model see no error.',
  'lint.returnedError.catch':
    '“{tool}” answers a caught error with ordinary text: the client and the model see no error.',
  'lint.returnedError.guard': '“{tool}” refuses with ordinary text: the client and the model see no error.',
  'lint.returnedError.helper':
    '“{tool}” returns what an error helper makes, without an error flag: the client and the model see no error.',
  'lint.returnedError.variable':
    '“{tool}” returns a variable that holds an error as a success: the client and the model see no error.',
  'lint.fix.raiseToolError': 'Raise ToolError instead',
  'lint.fix.raiseError': 'Raise an error instead',
  'lint.fix.returnErrorResult': 'Return an error result',
  'lint.fix.returnError': 'Return the error instead',
  'lint.fix.throwMcpException': 'Throw McpException instead',
  'lint.fix.throwException': 'Throw an exception instead',
  'lint.fix.throwToolCallException': 'Throw ToolCallException instead',
  'lint.fix.returnErr': 'Return Err instead',
  'lint.fix.raiseException': 'Raise an exception instead',
  'lint.fix.setErrorFlag': 'Set isError: true',
  'lint.fix.throwError': 'Throw an error instead',
  'lint.fix.throwUserError': 'Throw UserError instead',
  'lint.emptyOnFailure.returned':
    '“{tool}” answers a failure with an empty result: “nothing there” and “failed” look the same to the model.',
  'lint.emptyOnFailure.helper':
    'A failure becomes an empty value here, and “{tool}” cannot tell it from “nothing there”.',
  'lint.emptyOnFailure.fallsThrough':
    'The failure ends here and “{tool}” goes on to answer with nothing: “nothing there” and “failed” look the same.',
  'lint.protocolError.class':
    '{error} becomes a JSON-RPC error: the model never sees why “{tool}” failed, and cannot correct its call.',
  'lint.protocolError.lowLevel':
    'What a low-level handler throws becomes a JSON-RPC error: the model never sees why “{tool}” failed.',
  'lint.protocolError.rethrow':
    'The error leaves the low-level handler and becomes a JSON-RPC error: the model never sees why “{tool}” failed.',
  'lint.leakedInternals.trace': 'The error of “{tool}” shows the model a stack trace of the server.',
  'lint.leakedInternals.driver':
    'The error of “{tool}” passes on the text of {error}: tables, hosts and statements may be in it.',
  'lint.leakedInternals.body':
    'The error of “{tool}” passes on the whole body of an upstream answer, whatever is in it.',
  'lint.genericError.sentence':
    'Every failure of “{tool}” becomes the same sentence here: the model cannot tell what to do about it.',
  'lint.genericError.empty': 'The error of “{tool}” has no text: the model learns that it failed, and nothing else.',
  'lint.hiddenPartial.swallowed':
    'Items that fail are dropped here, and the result of “{tool}” does not say that any are missing.',
  'lint.hiddenPartial.asText':
    'The error of an item stands here where its content would, and nothing in the result of “{tool}” tells them apart.',
  'lint.revalidatedSchema.type': 'The declared schema of “{tool}” already refuses any other type of “{parameter}”.',
  'lint.revalidatedSchema.missing': 'The declared schema of “{tool}” already refuses a call without “{parameter}”.',
  'lint.stdoutNoise.handler':
    'Standard output carries the JSON-RPC messages of a stdio server: what “{tool}” writes there breaks the stream.',
  'lint.stdoutNoise.start':
    'Standard output carries the JSON-RPC messages of a stdio server: what is written there at its start breaks the stream.',
  'lint.noTimeout.network': '“{tool}” waits for the network without a timeout: a call may never be answered.',
  'lint.noTimeout.process': '“{tool}” waits for a process without a timeout: a call may never be answered.',
  'lint.missingAnnotations.missing':
    '“{tool}” has no annotations: without readOnlyHint or idempotentHint no client can safely call it again.',
  'lint.lostRaise.text':
    'This catches the {error} of line {line} as well and turns it into text: the client and the model see no error.',
  'lint.lostRaise.nothing': 'This catches the {error} of line {line} as well, and nothing is left of it.',
  'lint.wrongSdkError.import': 'This generation of the SDK has no {name}: use {instead}.',
  'lint.wrongSdkError.foreign':
    '{name} belongs to another SDK: this one takes it for any other exception. Import it from {instead}.',
  'lint.wrongSdkError.protocol':
    'Thrown by a tool, {error} does not become a protocol error: this SDK makes an error result of it, without its code.',
  'lint.wrongSdkError.bareText':
    '“{tool}” returns a bare text: this SDK refuses it with error -32602, and the model sees nothing.',
  'lint.wrongSdkError.flagName': 'This SDK does not read {flag}: the result stays a success. Use {instead}.',
  'lint.wrongSdkError.flagInData': 'To this SDK {flag} in returned data is data: the result stays a success.',
  'lint.resourceNotFound.text':
    'The resource answers with an error text as its content: the client takes it for the resource.',
  'lint.resourceNotFound.plain':
    '{error} does not say that the resource is missing, only that something failed: throw {instead}.',
  'lint.blindExit.exit': 'This ends the whole server: “{tool}” and every other call in flight are never answered.',
  'lint.unusedSuppression.codes': '{codes} finds nothing here: this comment switches off nothing.',
  'lint.unusedSuppression.all': 'No rule finds anything here: this comment switches off nothing.',
  'lint.fix.writeToStderr': 'Write to standard error',
  'lint.fix.returnMessage': 'Give the message without the stack trace',
  'lint.fix.letThrough': 'Let {error} through',
  'lint.fix.raiseInsteadOfExit': 'Fail the call, not the server',
  'lint.fix.renameFlag': 'Use {flag}',
  'lint.fix.wrapText': 'Return a result with the text',
  'lint.fix.removeSuppression': 'Remove the suppression',
  'lint.config.type': 'Expected: {expected}.',
  'lint.config.tooMany': 'More than {max} entries.',
  'lint.config.key': 'There is no setting “{key}”.',
  'lint.config.rule': 'There is no rule “{rule}”.',
  'lint.config.choice': 'Expected one of: {choices}.',
  'lint.config.glob': 'Not a pattern for paths.',
  'lint.config.files': 'An override needs “files”: the paths that it is for.',
} as const satisfies Readonly<Record<string, string>>;
