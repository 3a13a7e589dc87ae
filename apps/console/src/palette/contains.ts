/** Removes case and combining marks: "cafe" finds "Café"; Arabic matches with and without vowels. */
const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function contains(text: string, part: string): boolean {
  return fold(text).includes(fold(part));
}
