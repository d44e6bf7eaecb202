import type { LanguageId } from '../../lint/engine.ts';
import { EXTENSIONS } from '../../lint/languages/extensions.ts';

// Free of `vscode` and of the engine: activation reads it, and a plain test compares it with the manifest.

/** Every language that is linted, by VS Code's id. */
export const LANGUAGES: ReadonlySet<string> = new Set<LanguageId>(Object.values(EXTENSIONS));

/** Schemes of the documents that are linted: notebook cells, diffs and output are left alone. */
export const SCHEMES: readonly string[] = ['file', 'untitled', 'vscode-remote', 'vscode-vfs'];

/** The files of all languages, as a glob. */
export const SOURCE_GLOB = `**/*.{${Object.keys(EXTENSIONS).join(',')}}`;

/** Whether a document of this language and scheme is linted at all. */
export function isLinted(languageId: string, scheme: string): languageId is LanguageId {
  return LANGUAGES.has(languageId) && SCHEMES.includes(scheme);
}
