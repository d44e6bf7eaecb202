import { inRoot } from '../../tools/lib/paths.mjs';

/** The folder that the demo opens. Only copies of it are opened, so that playing with it leaves the checkout clean. */
export const demoFolder = inRoot('media', 'demo-workspace');

/** Makes the extension play the demo as soon as it is activated. */
export const demoEnv = { FAULTLINE_DEMO: '1' } as const;
