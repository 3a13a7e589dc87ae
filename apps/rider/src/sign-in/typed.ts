export const CODE_DIGITS = 6;

/** Zero in the two sets of digits that Arabic keyboards type. */
const ARABIC_ZERO = 0x660;
const EASTERN_ARABIC_ZERO = 0x6f0;

/** Replaces Arabic digits by the ASCII digits that the server expects. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (code < EASTERN_ARABIC_ZERO ? ARABIC_ZERO : EASTERN_ARABIC_ZERO));
  });
}

/** Returns the digits typed so far, or the code within a whole message that was pasted. */
export function codeIn(text: string): string {
  const plain = asciiDigits(text);
  // No lookbehind: Safari before 16.4 would reject the whole script.
  const whole = /(?:^|\D)(\d{6})(?!\d)/.exec(plain)?.[1];
  return whole ?? plain.replace(/\D/g, "").slice(0, CODE_DIGITS);
}

/** Returns the identifier to send; undefined if this cannot be a phone number or e-mail address. */
export function identifierIn(text: string): string | undefined {
  const plain = text.trim();
  if (plain.includes("@")) return /^[^@\s]+@[^@\s]+$/.test(plain) ? plain : undefined;
  const phone = asciiDigits(plain).replace(/[\s()./-]/g, "");
  return /^\+?\d{4,15}$/.test(phone) ? phone : undefined;
}
