/** Fails to compile when a union has a member that a switch forgot; throws if one arrives at run time all the same. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
