import type { RiderTexts } from "../texts/texts";

/** What a person calls a version: as its document does, and by our counter only where it is silent. */
export function versionName(
  texts: RiderTexts,
  term: { readonly label?: string | null; readonly version?: number } | undefined,
): string | undefined {
  const name = term?.label ?? term?.version?.toString();
  return name === undefined ? undefined : texts.version(name);
}
