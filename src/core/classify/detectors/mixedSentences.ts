import type { Detector } from '../evidence.ts';
import { shorten } from '../json.ts';
import { failureIn, mayTellFailure, undecorated } from './failureWords.ts';

const MAX_SUMMARY = 800;
/** "Cannot be undone" is a property, not an event. */
const PROPERTY = /^(?:cannot|can['’]t|can not)\b/i;
/** Says in its first words that something was done: "Created ticket 5", "Notified Anna", "Order 5 was placed". */
const DONE_FIRST =
  /^(?:\S+ ){0,3}?(?:was |were |has been |have been )?(?!failed|skipped|rejected|denied|aborted)\p{L}{2,20}(?:ed|sent|done|made|written|paid)\b|^\S+(?: \S+){0,4} (?:wurden?|ist|sind) \S+|^(?:\S+ ){1,4}(?:créée?s?|envoyée?s?|enregistrée?s?|cread[oa]s?|enviad[oa]s?|criad[oa]s?|creat[oaie]|inviat[oaie])\b/iu;

/** "Certificate could not be issued": a failure told of something that is named in a few words. */
const OF_SOMETHING =
  /^(?:\S+ ){1,5}(?:could not|couldn['’]t|would not|wouldn['’]t|failed to|was rejected|was refused|was denied|timed out|konnten? nicht|n['’]a pas pu|no se pudo|não pôde|non è stat[oa])\b/iu;

function isFailed(sentence: string): boolean {
  return failureIn(sentence)?.isOpening === true || OF_SOMETHING.test(sentence);
}

/** A sentence of an acting tool says that something was done, and a later one that something else could not be. */
export const detectMixedSentences: Detector = (view, { nature }) => {
  const first = view.texts[0];
  const isQuoted = nature.reports || nature.executes || nature.makesText || nature.reads || nature.carriesContent;
  if (isQuoted || first === undefined || view.texts.length > 1 || first.text.length > MAX_SUMMARY) {
    return [];
  }
  // What `OF_SOMETHING` matches has a stem of those words too.
  if (!mayTellFailure(first.text)) {
    return [];
  }
  const sentences = first.text.split(/(?<=[.!;])\s+|\n+/, 30);
  const [opening, ...rest] = sentences.length > 1 ? sentences.map((sentence) => undecorated(sentence)) : [];
  if (opening === undefined || failureIn(opening) !== undefined || !DONE_FIRST.test(opening)) {
    return [];
  }
  const failed = rest.find((sentence) => !PROPERTY.test(sentence) && isFailed(sentence));
  if (failed === undefined) {
    return [];
  }
  const signal = {
    code: 'signal.partial.sentence',
    strength: 'medium',
    pointer: first.pointer,
    args: { text: shorten(failed) },
  } as const;
  return [{ says: 'partial', signal, cause: failed, partial: { missing: [] } }];
};
