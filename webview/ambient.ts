const hasBodyClass = (name: string) => document.body.classList.contains(name);

/** Is a screen reader in use? VS Code says so by a class, and may change it while the page lives. */
export function isScreenReader(): boolean {
  return hasBodyClass('vscode-using-screen-reader');
}

/** Should nothing move that need not? */
export function isCalm(): boolean {
  return (
    hasBodyClass('vscode-reduce-motion') || isScreenReader() || matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
