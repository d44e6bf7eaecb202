/** Whether two secrets are equal, in a time that depends on the length of `given` alone and not on where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let index = 0; index < given.length; index += 1) {
    difference |= given.charCodeAt(index) ^ (expected.charCodeAt(index % Math.max(1, expected.length)) || 0);
  }
  return difference === 0;
}
