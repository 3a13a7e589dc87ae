/** A range of words. `removed` is a range of the old text, `same` and `added` are ranges of the new text. */
export interface Stretch {
  readonly kind: "same" | "removed" | "added";
  readonly from: number;
  readonly to: number;
}

/** The maximum number of edits. A comparison with more is not readable, and would block a phone. */
const EDITS_MAX = 4_000;

/**
 * Returns the shortest list of removals and additions that changes `before` to `after`. It uses the linear
 * space variant (section 4b) of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
 * Returns undefined if the texts differ in more than `editsMax` words.
 */
export function difference(
  before: readonly string[],
  after: readonly string[],
  editsMax = EDITS_MAX,
): readonly Stretch[] | undefined {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  };
  const texts = { a: Int32Array.from(before, numberOf), b: Int32Array.from(after, numberOf) };
  const removed = new Uint8Array(before.length);
  const added = new Uint8Array(after.length);
  const whole = { a0: 0, a1: before.length, b0: 0, b1: after.length };
  if (!mark(texts, whole, { removed, added, editsMax })) return undefined;
  return stretches(removed, added);
}

interface Texts {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** Half-open ranges: words `a0` to `a1` of the old text and `b0` to `b1` of the new text. */
interface Box {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

interface Marks {
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
  readonly editsMax: number;
}

/** Marks the differences inside the box. Returns false if there are too many. */
function mark(texts: Texts, box: Box, marks: Marks): boolean {
  // Uses an explicit stack instead of recursion, because the boxes of a long text nest deeply.
  const boxes = [box];
  for (let next = boxes.pop(); next; next = boxes.pop()) {
    const { a0, a1, b0, b1 } = trimmed(texts, next);
    if (a0 === a1) marks.added.fill(1, b0, b1);
    else if (b0 === b1) marks.removed.fill(1, a0, a1);
    else {
      const middle = middleSnake(texts, { a0, a1, b0, b1 }, marks.editsMax);
      if (!middle) return false;
      boxes.push({ a0: middle.a1, a1, b0: middle.b1, b1 });
      boxes.push({ a0, a1: middle.a0, b0, b1: middle.b0 });
    }
  }
  return true;
}

/** Returns the box without the common start and end. */
function trimmed({ a, b }: Texts, box: Box): Box {
  let { a0, a1, b0, b1 } = box;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
    a0++;
    b0++;
  }
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
    a1--;
    b1--;
  }
  return { a0, a1, b0, b1 };
}

/**
 * Finds the middle of a shortest path from one corner of the box to the other. Searches from both corners at
 * once, `d` edits each, until the two searches meet on a diagonal.
 */
function middleSnake({ a, b }: Texts, { a0, a1, b0, b1 }: Box, editsMax: number): Box | undefined {
  const n = a1 - a0;
  const m = b1 - b0;
  const delta = n - m;
  const odd = (delta & 1) !== 0;
  const most = Math.min((n + m + 1) >> 1, editsMax);
  const offset = most + 1;
  const ahead = new Int32Array(2 * offset + 1);
  const back = new Int32Array(2 * offset + 1);
  const at = (furthest: Int32Array, k: number) => furthest[offset + k] ?? 0;
  /** Returns how far a path with one more edit reaches on diagonal k, before it follows equal words. */
  const step = (furthest: Int32Array, k: number, d: number) =>
    k === -d || (k !== d && at(furthest, k - 1) < at(furthest, k + 1))
      ? at(furthest, k + 1)
      : at(furthest, k - 1) + 1;

  for (let d = 0; d <= most; d++) {
    for (let k = -d; k <= d; k += 2) {
      const start = step(ahead, k, d);
      let x = start;
      while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++;
      ahead[offset + k] = x;
      const met = delta - k;
      if (odd && Math.abs(met) <= d - 1 && x + at(back, met) >= n) {
        return { a0: a0 + start, b0: b0 + start - k, a1: a0 + x, b1: b0 + x - k };
      }
    }
    for (let k = -d; k <= d; k += 2) {
      const start = step(back, k, d);
      let x = start;
      while (x < n && x - k < m && a[a1 - 1 - x] === b[b1 - 1 - x + k]) x++;
      back[offset + k] = x;
      const met = delta - k;
      if (!odd && Math.abs(met) <= d && x + at(ahead, met) >= n) {
        return { a0: a1 - x, b0: b1 - x + k, a1: a1 - start, b1: b1 - start + k };
      }
    }
  }
  return undefined;
}

/** Converts the marks to stretches. Removed words come before the words that replace them. */
function stretches(removed: Uint8Array, added: Uint8Array): readonly Stretch[] {
  const result: Stretch[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [i0, j0] = [i, j];
    while (i < removed.length && removed[i]) i++;
    if (i > i0) result.push({ kind: "removed", from: i0, to: i });
    while (j < added.length && added[j]) j++;
    if (j > j0) result.push({ kind: "added", from: j0, to: j });
    const same = j;
    while (i < removed.length && j < added.length && !removed[i] && !added[j]) {
      i++;
      j++;
    }
    if (j > same) result.push({ kind: "same", from: same, to: j });
  }
  return result;
}
