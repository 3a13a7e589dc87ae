import { describe, expect, it } from "vitest";
import { difference, type Stretch } from "./difference";

const split = (text: string) => text.split(" ").filter(Boolean);

/** Reconstructs the old and the new text from the stretches. */
function reconstruct(before: readonly string[], after: readonly string[], all: readonly Stretch[]) {
  const select = (kinds: readonly string[], words: (stretch: Stretch) => readonly string[]) =>
    all.filter(({ kind }) => kinds.includes(kind)).flatMap(words);
  return {
    after: select(["same", "added"], ({ from, to }) => after.slice(from, to)),
    unchanged: select(["same"], ({ from, to }) => after.slice(from, to)),
    removed: select(["removed"], ({ from, to }) => before.slice(from, to)),
    edits: all
      .filter(({ kind }) => kind !== "same")
      .reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

/** Returns the minimum number of edits, with the textbook dynamic programming table. */
function shortest(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min(row[j] ?? 0, next[j - 1] ?? 0) + 1;
      next.push(a[i - 1] === b[j - 1] ? (row[j - 1] ?? 0) : cost);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function randomNumbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("difference", () => {
  it("finds the changed words", () => {
    const before = split("You keep 90 % of the tips and pay the fee on Monday");
    const after = split("You keep 80 % of all the tips and pay the fee");
    const all = difference(before, after) ?? [];
    expect(reconstruct(before, after, all)).toEqual({
      after,
      unchanged: split("You keep % of the tips and pay the fee"),
      removed: ["90", "on", "Monday"],
      edits: 5,
    });
    // Removed words come before the words that replace them.
    expect(all.map(({ kind }) => kind).slice(0, 4)).toEqual(["same", "removed", "added", "same"]);
  });

  it("returns no edits for equal texts, and only edits for an empty one", () => {
    const words = split("one two three");
    expect(difference(words, words)).toEqual([{ kind: "same", from: 0, to: 3 }]);
    expect(difference([], [])).toEqual([]);
    expect(difference(words, [])).toEqual([{ kind: "removed", from: 0, to: 3 }]);
    expect(difference([], words)).toEqual([{ kind: "added", from: 0, to: 3 }]);
  });

  it("is correct and minimal for 1,000 random pairs of texts", () => {
    const below = randomNumbers(14);
    for (let run = 0; run < 1_000; run++) {
      const words = 2 + below(5);
      const text = () => Array.from({ length: below(24) }, () => String(below(words)));
      const [before, after] = [text(), text()];
      const all = difference(before, after);
      const actual = reconstruct(before, after, all ?? []);
      expect(actual.after).toEqual(after);
      expect([...actual.unchanged, ...actual.removed].sort()).toEqual([...before].sort());
      expect(actual.edits, `${before} → ${after}`).toBe(shortest(before, after));
    }
  });

  it("handles a long text with few changes and returns undefined for a rewritten one", () => {
    const below = randomNumbers(7);
    const before = Array.from({ length: 20_000 }, () => String(below(3_000)));
    const after = before.map((word, at) => (at % 200 === 7 ? "new" : word));
    expect(reconstruct(before, after, difference(before, after) ?? []).edits).toBe(200);
    const other = Array.from({ length: 20_000 }, () => `other ${below(3_000)}`);
    expect(difference(before, other)).toBeUndefined();
  });
});
