/** Environment variables, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a server: what this process has, overlaid with the definition's own. On Windows, where names differ
 * only by case, an own `PATH` takes the place of an inherited `Path`.
 */
export function mergeEnvironment(
  inherited: Environment,
  own: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Environment {
  if (platform !== 'win32') {
    return { ...inherited, ...own };
  }
  const ownNames = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(inherited).filter(([name]) => !ownNames.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

/** The value of `PATH`, whatever its case on Windows; empty when there is none. */
export function searchPathOf(environment: Environment): string {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH');
  return (name === undefined ? undefined : environment[name]) ?? '';
}
