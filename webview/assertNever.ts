/** The end of an exhaustive switch: a member that was added without a case fails to compile. Throws when it is reached. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected: ${JSON.stringify(value)}`);
}
