/** The word that was meant, where `typed` is one letter more, less or other, or the beginning of it. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  return known.find((word) => isNear(typed.toLowerCase(), word));
}

function isNear(typed: string, known: string): boolean {
  if (known.startsWith(typed) || typed === `${known}s`) {
    return true;
  }
  let same = 0;
  while (same < typed.length && typed[same] === known[same]) {
    same += 1;
  }
  const [typedRest, knownRest] = [typed.slice(same), known.slice(same)];
  const isOneOther =
    typedRest.slice(1) === knownRest || typedRest === knownRest.slice(1) || typedRest.slice(1) === knownRest.slice(1);
  const isSwapped =
    typedRest.slice(2) === knownRest.slice(2) && typedRest[0] === knownRest[1] && typedRest[1] === knownRest[0];
  return typed.length > 2 && (isOneOther || isSwapped);
}
