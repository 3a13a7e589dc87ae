/** Formats a file size. */
export function fileSize(bytes: number, tag: string): string {
  const isLarge = bytes >= 1_000_000;
  return (bytes / (isLarge ? 1_000_000 : 1000)).toLocaleString(tag, {
    style: "unit",
    unit: isLarge ? "megabyte" : "kilobyte",
    maximumFractionDigits: 1,
  });
}
