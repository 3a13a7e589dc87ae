/** The name of a version: its label, else its number. */
export const versionName = (
  { label, version }: { readonly label?: string | null; readonly version: number },
  tag?: string,
): string => label ?? version.toLocaleString(tag, { useGrouping: false });
