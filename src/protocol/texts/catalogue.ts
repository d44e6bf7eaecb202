/** What is missing from the lists of servers. English; the host translates it. */
export const catalogueTexts = {
  'catalogue.pageFailed': 'Page {page} of {method} could not be read; what was read before it is kept.',
  'catalogue.cursorLoop': '{method} leads back to a page that was read already.',
  'catalogue.tooManyPages': '{method} did not end within {pages} pages.',
  'catalogue.malformedItem': '{method} lists something that has no name; it is left out.',
  'catalogue.badHeader': 'The tool {tool} is left out, since it cannot be called over HTTP: {problem}.',
} as const satisfies Readonly<Record<string, string>>;
