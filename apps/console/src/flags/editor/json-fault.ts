export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

/** Where a text stops being JSON, counted from 1; undefined when it is some. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const detail = error instanceof Error ? error.message : "";
    const before = text.slice(0, stopOf(text, detail)).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, detail };
  }
}

/** Browsers say it each in their own way, and some not at all when the text just ends. */
function stopOf(text: string, detail: string): number {
  const position = /position (\d+)/.exec(detail)?.[1];
  if (position) return Number(position);
  const place = /line (\d+) column (\d+)/.exec(detail);
  if (!place) return text.length;
  const lines = text.split("\n").slice(0, Number(place[1]) - 1);
  return lines.join("\n").length + (lines.length > 0 ? 1 : 0) + Number(place[2]) - 1;
}
