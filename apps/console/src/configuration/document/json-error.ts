import { type ParseError, parse } from "jsonc-parser";

export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

/** Returns where a text stops being valid JSON, counted from 1; undefined if it is valid. */
export function jsonError(text: string): JsonError | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // The browsers' error messages differ, and some do not contain the position.
    const errors: ParseError[] = [];
    parse(text, errors, { disallowComments: true });
    const before = text.slice(0, errors[0]?.offset).split("\n");
    const detail = error instanceof Error ? error.message : "";
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, detail };
  }
}
