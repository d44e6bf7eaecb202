/** Reasons of the retry loop. English; the host translates them. */
export const retryTexts = {} as const satisfies Readonly<Record<string, string>>;
