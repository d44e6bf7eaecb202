/** One step of an RFC 6901 JSON pointer, its slash included. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names of the steps of an RFC 6901 JSON pointer, unescaped; none of `''`, which names the whole. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
