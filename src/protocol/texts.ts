import { anomalyTexts } from './texts/anomaly.ts';
import { catalogueTexts } from './texts/catalogue.ts';
import { clientTexts } from './texts/client.ts';
import { copyTexts } from './texts/copy.ts';
import { diffTexts } from './texts/diff.ts';
import { faultTexts } from './texts/faults.ts';
import { filterTexts } from './texts/filter.ts';
import { lintTexts } from './texts/lint.ts';
import { logTexts } from './texts/log.ts';
import { mockTexts } from './texts/mock.ts';
import { otlpTexts } from './texts/otlp.ts';
import { outcomeTexts } from './texts/outcome.ts';
import { replayTexts } from './texts/replay.ts';
import { retryTexts } from './texts/retry.ts';
import { sessionTexts } from './texts/session.ts';
import { suiteTexts } from './texts/suite.ts';
import { tapConfigTexts } from './texts/tapConfig.ts';
import { usabilityTexts } from './texts/usability.ts';

/**
 * Every sentence that `core` and `lint` can say, by code. They return codes with arguments, so that a finding can be
 * compared in tests and told in the user's language; `host` and `cli` turn them into text with `formatText`.
 */
export const TEXTS: Readonly<Record<string, string>> = {
  ...outcomeTexts,
  ...otlpTexts,
  ...anomalyTexts,
  ...retryTexts,
  ...replayTexts,
  ...clientTexts,
  ...catalogueTexts,
  ...copyTexts,
  ...diffTexts,
  ...faultTexts,
  ...filterTexts,
  ...lintTexts,
  ...logTexts,
  ...mockTexts,
  ...sessionTexts,
  ...suiteTexts,
  ...tapConfigTexts,
  ...usabilityTexts,
};
