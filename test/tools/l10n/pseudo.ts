/** What has no translation: places, icons, targets of links, code. */
const KEPT = /\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`/g;

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'áƀćđéƒǵĥíĵķłɱñóƥɋŕśťúṽŵẋýžÁƁĆĐÉƑǴĤÍĴĶŁṀÑÓƤɊŔŚŤÚṼŴẊÝŽ';
const FILLER = ' éó áíú';

/**
 * A stand-in for a translation: the same text in letters that English has not, longer by two fifths, as a German one may
 * be. What a translation has to keep is kept.
 */
export function pseudo(text: string): string {
  const wanted = Math.ceil(text.replace(KEPT, '').length * 0.4);
  const filler =
    wanted < 3
      ? ''
      : FILLER.repeat(Math.ceil(wanted / FILLER.length))
          .slice(0, wanted)
          .replace(/ $/, 'é');
  const [ending = ''] = /(?:…|\.|:|\?|\s)$/.exec(text) ?? [];
  const body = text.slice(0, text.length - ending.length);
  let done = 0;
  let out = '';
  for (const { 0: kept, index } of body.matchAll(KEPT)) {
    out += accented(body.slice(done, index)) + kept;
    done = index + kept.length;
  }
  return out + accented(body.slice(done)) + filler + ending;
}

function accented(text: string): string {
  return text.replace(/[a-zA-Z]/g, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter);
}

/** Words of a text that no translation went over: two and more plain letters, beside those that are the same everywhere. */
export function plainWords(text: string, same: readonly string[] = []): readonly string[] {
  return (text.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !same.includes(word));
}
