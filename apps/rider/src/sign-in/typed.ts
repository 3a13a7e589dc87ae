export const CODE_DIGITS = 6;

/** Returns the ASCII digit of the same value for a decimal digit of any script. */
function asciiDigit(digit: string): string {
  const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));
  const code = digit.codePointAt(0) ?? 0;
  // In Unicode the ten digits of a script follow each other, and nothing before them is a digit.
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value += 1;
  return String(value);
}

/**
 * Returns the text as the server normalises it: without invisible characters, with ASCII digits, hyphens and
 * spaces. `testdata/identifiers.json` has the cases for both.
 */
export function normalInput(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s/g, " ")
    .replace(/\p{Nd}/gu, asciiDigit)
    .trim();
}

/** Returns the digits typed so far, or the code within a whole message that was pasted. */
export function codeIn(text: string): string {
  const plain = normalInput(text);
  // No lookbehind: Safari before 16.4 would reject the whole script.
  const whole = /(?:^|\D)(\d{6})(?!\d)/.exec(plain)?.[1];
  return whole ?? plain.replace(/\D/g, "").slice(0, CODE_DIGITS);
}

/** Returns the identifier to send; undefined if this cannot be a phone number or e-mail address. */
export function identifierIn(text: string): string | undefined {
  const plain = normalInput(text)
    .replace(/^tel:([^;]*).*/i, "$1")
    .replace(/^mailto:([^?]*).*/i, "$1");
  if (plain.includes("@")) {
    return /^[^@ ]+@[^@ .]+(\.[^@ .]+)*$/.test(plain) ? plain.toLowerCase() : undefined;
  }
  const international = plain.replace(/^00/, "+");
  const phone = international.replace(/[ ()./-]/g, "");
  return /^\+?\d{4,15}$/.test(phone) ? phone : undefined;
}
