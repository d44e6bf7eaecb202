import { causesPage } from './causesPage.ts';
import { cliPage } from './cliPage.ts';
import { commandsPage } from './commandsPage.ts';
import { architecturePage } from './importsTable.ts';
import { readManifest } from './manifest.ts';
import { manPage } from './manPage.ts';
import { settingsPage } from './settingsPage.ts';

/** A page that is written by a program, and from what. */
export interface GeneratedPage {
  /** Relative to the repository. */
  readonly file: string;
  readonly write: () => string;
}

/** Every page that `npm run docs` writes; a test compares them with what is on the disk. */
export const generatedPages: readonly GeneratedPage[] = [
  { file: 'docs/settings.md', write: () => settingsPage(readManifest()) },
  { file: 'docs/commands.md', write: () => commandsPage(readManifest()) },
  { file: 'docs/architecture.md', write: architecturePage },
  { file: 'docs/causes.md', write: causesPage },
  { file: 'docs/cli.md', write: cliPage },
  { file: 'docs/faultline.1', write: manPage },
];
