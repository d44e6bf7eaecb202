/**
 * Server text made harmless where it is shown as it is, in a terminal or a document: control characters, which could move
 * the cursor or set colours, and bidirectional controls, which could make text read as another, become escapes. Line ends
 * and tabs stay.
 */
export function safeText(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same on one line: line ends and tabs become spaces. At most `maxLength` UTF-16 code units, the cut shown as `…`. */
export function safeLine(text: string, maxLength: number): string {
  const line = safeText(text.slice(0, maxLength + 1).replace(/[\n\t]/g, ' '));
  return text.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes are control characters.
const COLOUR = /\u001b\[[0-9;]{0,20}m/g;

/** Text without the colours of terminals, which would hide where a line begins. */
export function withoutColours(text: string): string {
  return text.replace(COLOUR, '');
}
