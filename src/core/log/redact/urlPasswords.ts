import type { AddSpan } from './spans.ts';
import { isWorthHiding } from './values.ts';

/** `scheme://user:password@host`, also with the slashes escaped; passwords may hold an unescaped `@`, as people write them. */
const USER_INFO = /:\\{0,7}\/\\{0,7}\/([^\s/?#"'<>\\@:]{0,100}):([^\s/?#"'<>\\]{1,300})@/y;
/** `https://token@host`: a user name that is none. */
const TOKEN_ONLY = /:\\{0,7}\/\\{0,7}\/([A-Za-z0-9_-]{32,200})@/y;

/** Finds the password of the URL or connection string whose scheme ends with the colon at `at`. */
export function findUrlPassword(text: string, at: number, add: AddSpan): void {
  let slash = at + 1;
  while (text.charCodeAt(slash) === 0x5c) {
    slash++;
  }
  if (text.charCodeAt(slash) === 0x2f) {
    lookAt(text, at, add);
  }
}

function lookAt(text: string, at: number, add: AddSpan): void {
  USER_INFO.lastIndex = at;
  const found = USER_INFO.exec(text);
  const password = found?.[2];
  if (found !== null && password !== undefined && isWorthHiding(password)) {
    const end = at + found[0].length - 1;
    add({ start: end - password.length, end, kind: 'url-password' });
    return;
  }
  TOKEN_ONLY.lastIndex = at;
  const alone = TOKEN_ONLY.exec(text);
  if (alone !== null) {
    const end = at + alone[0].length - 1;
    add({ start: end - (alone[1]?.length ?? 0), end, kind: 'url-password' });
  }
}
