/** Failures of definitions and connections, with their remedies. English; the host translates them. */
export const clientTexts = {} as const satisfies Readonly<Record<string, string>>;
