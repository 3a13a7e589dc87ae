/** Crockford's base 32: no I, L, O and U. The server accepts lower case and look-alikes as well. */
const GROUPED = /^[0-9A-HJKMNP-TV-Z]{36}$/;
/** Numbers from before the groups: base64url, in which upper and lower case differ. */
const FORMER = /^[\w-]{32}$/;
/** Characters between the groups: spaces, hyphens and dashes, and invisible ones from copied text. */
const SEPARATORS = /[\s\-\u00ad\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns the receipt number in a typed text as the server writes it, so that it can be compared
 * with stored numbers. Undefined if the text is not a whole number.
 */
export function receiptNumber(typed: string): string | undefined {
  const symbols = typed
    .replace(SEPARATORS, "")
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
  if (GROUPED.test(symbols)) return symbols.replace(/.{4}(?=.)/g, "$&-");
  // A number that was copied from a page may contain a line break.
  const former = typed.replace(/\s+/g, "");
  return FORMER.test(former) ? former : undefined;
}
