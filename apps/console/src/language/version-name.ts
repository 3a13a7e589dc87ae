/** Returns the name of a version: its label, or its number if there is none. */
export const versionName = (
  { label, version }: { readonly label?: string | null; readonly version: number },
  tag?: string,
): string => label ?? version.toLocaleString(tag, { useGrouping: false });
