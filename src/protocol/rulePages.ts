const DOCS = 'https://github.com/faultline/faultline/blob/main/docs';

/** The page of a lint rule: what it finds, what the model sees without it, how to mend it. */
export function rulePage(code: string): string {
  return `${DOCS}/rules/${code}.md`;
}

/** The page about an outcome, by its name as exchanges carry it. */
export const OUTCOMES_PAGE = `${DOCS}/outcomes.md`;
