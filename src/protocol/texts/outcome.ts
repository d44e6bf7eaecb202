/** Signals and reasons of verdicts. English; the host translates them. */
export const outcomeTexts = {} as const satisfies Readonly<Record<string, string>>;
