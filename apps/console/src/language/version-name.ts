/** What a person reads as the name of a version: as the document calls itself, else the counter. */
export const versionName = (
  { label, version }: { readonly label?: string | null; readonly version: number },
  tag?: string,
): string => label ?? version.toLocaleString(tag, { useGrouping: false });
