import { expect, it } from "vitest";
import { hunks, lineDiff } from "./line-diff";

const marks = (before: string, after: string) =>
  lineDiff(before, after).map(({ mark, text }) => mark + text);

it("keeps unchanged lines, and lists old lines before new ones", () => {
  expect(marks("a\nb\nc\nd", "a\nx\nc\nd\ne")).toEqual([" a", "-b", "+x", " c", " d", "+e"]);
  expect(marks("", "a")).toEqual(["+a"]);
  expect(marks("a\na", "a")).toEqual([" a", "-a"]);
});

it("contains all lines of both sides", () => {
  const before = "{\n  1,\n  2,\n  3,\n  4\n}";
  const after = "{\n  2,\n  3,\n  5,\n  4,\n  1\n}";
  const lines = lineDiff(before, after);
  const side = (mark: string) =>
    lines.filter((line) => line.mark === " " || line.mark === mark).map((line) => line.text);
  expect(side("-").join("\n")).toBe(before);
  expect(side("+").join("\n")).toBe(after);
});

it("leaves out lines that are far from each change", () => {
  const long = Array.from({ length: 40 }, (_, at) => String(at));
  const shown = hunks(lineDiff(long.join("\n"), long.with(20, "x").join("\n")));
  expect(shown.map((line) => line?.text ?? "…")).toEqual([
    "…",
    "17",
    "18",
    "19",
    "20",
    "x",
    "21",
    "22",
    "23",
    "…",
  ]);
});
