import { diffArrays } from "diff";

export interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/**
 * With more edits than this, all old lines are shown before all new ones, because a diff would take
 * too long.
 */
const EDITS_MAX = 2_000;

const linesOf = (text: string) => (text === "" ? [] : text.split("\n"));

/** Compares two texts line by line. */
export function lineDiff(before: string, after: string): readonly Line[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(a, b, { maxEditLength: EDITS_MAX }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text) => ({ mark: removed ? "-" : added ? "+" : " ", text }) as const),
  );
}

const AROUND = 3;

/** Returns the changed lines with a few lines of context. Null marks omitted lines. */
export function hunks(lines: readonly Line[]): readonly (Line | null)[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ mark }) => mark !== " "),
  );
  const shown: (Line | null)[] = [];
  for (const [at, line] of lines.entries()) {
    if (near[at]) shown.push(line);
    else if (shown.at(-1) !== null) shown.push(null);
  }
  return shown;
}
