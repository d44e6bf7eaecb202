/** Stands for a value that is elsewhere, was masked already, says a type, or invites to fill in: nothing to hide. */
const NO_SECRET =
  /^(?:\$|\{\{|<|%[A-Za-z_]+%$|\[redacted|your[-_ ]|my[-_ ]|enter[-_ ]|insert[-_ ]|\*+$|x{3,}$|\.{2,}$|•+$|-+$|process\.env|os\.environ|env[.(:]|import\.meta|secrets?\.)/i;
const WORDS = new Set(
  'null none nil undefined true false string str number int integer bool boolean object array any unknown never void bytes secretstr optional required unset empty missing invalid expired hidden masked redacted default example placeholder changeme todo n/a yes no not with from and must should cannot is was has are were for the this that file path prompt stdin'.split(
    ' ',
  ),
);
const IDENTIFIER_PATH = /^[A-Za-z_]\w*(?:\.\w+)+$/;

/** Is the value of a secret name something to hide at all? */
export function isWorthHiding(value: string): boolean {
  return value !== '' && !NO_SECRET.test(value) && !value.includes('***') && !WORDS.has(value.toLowerCase());
}

/** Letters and digits, or letters of both cases and length: what a person would not write as a word. */
export function looksRandom(value: string, minLength: number): boolean {
  return (
    value.length >= minLength &&
    /[A-Za-z]/.test(value) &&
    (/\d/.test(value) || (value.length >= 12 && /[a-z]/.test(value) && /[A-Z]/.test(value)))
  );
}

/** Code that names a value rather than being it: `config.token`, a path of identifiers. */
export function isIdentifierPath(value: string): boolean {
  return IDENTIFIER_PATH.test(value) && !/\d{3}/.test(value);
}

/** `pwd` is also the working directory. */
export function isDirectory(name: string, value: string): boolean {
  return /pwd$/i.test(name) && /^(?:[/~]|[A-Za-z]:[\\/]|\.{1,2}[\\/])/.test(value);
}

const SCHEME = /^(?:Bearer|Basic|Token|Digest|DPoP|Negotiate|ApiKey|AWS4-HMAC-SHA256|GoogleLogin auth=|Key)(?: |%20)/i;

/** How much of an authorization is its scheme, which may stay. */
export function schemeLength(value: string): number {
  return SCHEME.exec(value)?.[0].length ?? 0;
}
