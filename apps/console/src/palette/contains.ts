/** Without marks and case: "cafe" finds "Café", and a word without vowel signs the Arabic one with them. */
const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function contains(text: string, part: string): boolean {
  return fold(text).includes(fold(part));
}
