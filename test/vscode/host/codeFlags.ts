/** The part of VS Code's command line that tests use. Flags that mean nothing to the stand-in are dropped. */
export interface CodeFlags {
  readonly developmentPaths: readonly string[];
  readonly testsPath: string | undefined;
  readonly folder: string | undefined;
  readonly userDataDir: string | undefined;
  readonly extensionsDir: string | undefined;
  readonly isWithoutOtherExtensions: boolean;
}

/** Reads the command line that @vscode/test-electron gives to `code`: every value is given as `--flag=value`. */
export function parseCodeFlags(args: readonly string[]): CodeFlags {
  const values = (name: string) =>
    args.flatMap((arg) => (arg.startsWith(`--${name}=`) ? arg.slice(name.length + 3) : []));
  return {
    developmentPaths: values('extensionDevelopmentPath'),
    testsPath: values('extensionTestsPath').at(-1),
    folder: args.find((arg) => !arg.startsWith('-')),
    userDataDir: values('user-data-dir').at(-1),
    extensionsDir: values('extensions-dir').at(-1),
    isWithoutOtherExtensions: args.includes('--disable-extensions'),
  };
}
