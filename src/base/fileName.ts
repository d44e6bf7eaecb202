/** Longest name that is suggested, characters. */
const MAX_LENGTH = 60;

/**
 * A name that somebody else has chosen, of a server or a session, as the name of a file: letters, digits, `_`, `.` and `-`, none
 * that leads to another folder or hides the file. Empty when nothing of it can stay.
 */
export function fileNameOf(text: string): string {
  return text
    .slice(0, 10 * MAX_LENGTH)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_LENGTH);
}
