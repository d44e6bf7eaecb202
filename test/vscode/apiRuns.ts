import { inRoot } from '../tools/lib/paths.mjs';

/** How the API tests ended in one VS Code, or in all. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** In place of a version: the desktop VS Code that FAULTLINE_CODE names, whichever it is. */
export const INSTALLED = 'installed';

/** Where the bundled API tests are. */
export const bundleFolder = inRoot('out', 'api');
