import type { RiderTexts } from "../texts/texts";

/** Returns the name of a version: the document's own label; our counter if it has none. */
export function versionName(
  texts: RiderTexts,
  term: { readonly label?: string | null; readonly version?: number } | undefined,
): string | undefined {
  const name = term?.label ?? term?.version?.toString();
  return name === undefined ? undefined : texts.version(name);
}
