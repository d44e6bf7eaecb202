/** Messages of the lint and titles of its fixes. English; the host translates them. */
export const lintTexts = {} as const satisfies Readonly<Record<string, string>>;
