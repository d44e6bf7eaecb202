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
} as const satisfies Readonly<Record<string, string>>;
