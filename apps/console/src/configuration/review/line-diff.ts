export interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Beyond this the table of the comparison would not fit; then all is shown, the old before the new. */
const CELLS_MAX = 4_000_000;

/** Two texts line by line: what went, what came, what stayed. */
export function lineDiff(before: string, after: string): readonly Line[] {
  const [old, now] = [before, after].map((text) => (text === "" ? [] : text.split("\n")));
  const [a, b] = [old ?? [], now ?? []];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const stayed = (texts: readonly string[]) => texts.map((text) => ({ mark: " ", text }) as const);
  return [
    ...stayed(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...stayed(a.slice(a.length - end)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): readonly Line[] {
  const gone = (text: string): Line => ({ mark: "-", text });
  const come = (text: string): Line => ({ mark: "+", text });
  if (a.length * b.length > CELLS_MAX) return [...a.map(gone), ...b.map(come)];
  const common = commonLengths(a, b);
  const width = b.length + 1;
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ mark: " ", text: a[i] ?? "" });
      i++;
      j++;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      lines.push(gone(a[i++] ?? ""));
    } else {
      lines.push(come(b[j++] ?? ""));
    }
  }
  return [...lines, ...a.slice(i).map(gone), ...b.slice(j).map(come)];
}

/** For each pair of places, how many lines the rests from there on have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * width + j;
      table[here] =
        a[i] === b[j]
          ? (table[here + width + 1] ?? 0) + 1
          : Math.max(table[here + width] ?? 0, table[here + 1] ?? 0);
    }
  }
  return table;
}

const AROUND = 3;

/** Only what changed, with a few lines around it; null stands for what was left out. */
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
