import type * as vscode from 'vscode';
import { LANGUAGES, SCHEMES } from './languages.ts';

/** The documents that are linted. */
export const lintSelector: vscode.DocumentSelector = [...LANGUAGES].flatMap((language) =>
  SCHEMES.map((scheme) => ({ language, scheme })),
);
