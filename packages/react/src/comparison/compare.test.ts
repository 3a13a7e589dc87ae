import { describe, expect, it } from "vitest";
import type { Block } from "../viewer/manifest";
import { type Comparison, compare } from "./compare";
import { wordsOf } from "./words";

const block = (text: string, over: Partial<Block> = {}): Block => ({
  page: 1,
  kind: "paragraph",
  text,
  dir: "ltr",
  ...over,
});
const heading = (text: string) => block(text, { kind: "heading", level: 1 });

/** `[-removed-]` and `{+added+}`, a paragraph a line. */
function told(comparison: Comparison): readonly string[] {
  if (comparison.kind !== "changes") return [comparison.kind];
  return comparison.paragraphs.map(({ runs, skipped }) =>
    runs.reduce((line, { kind, text, spaced }) => {
      const said = { same: text, removed: `[-${text}-]`, added: `{+${text}+}` }[kind];
      return `${line}${spaced ? " " : ""}${said}`;
    }, `${skipped} `),
  );
}

const filler = (n: number) => block(`Clause ${n} stays as it is, word for word.`);

describe("compare", () => {
  it("shows what changed in its paragraph, under its heading, and counts the rest", () => {
    const before = [
      heading("1 Start"),
      filler(1),
      heading("2 Pay"),
      filler(2),
      block("The company keeps 2.5 % of each fare, as before."),
      filler(3),
    ];
    const after = before.map((it) =>
      block(it.text.replace("2.5 %", "3.5 %").replace(", as before", ""), it && { kind: it.kind }),
    );
    const comparison = compare(before, after);
    expect(told(comparison)).toEqual([
      "2 2 Pay",
      "1 The company keeps [-2.5-] {+3.5+} % of each fare[-, as before-].",
    ]);
    expect(comparison).toMatchObject({ added: 1, removed: 4, rest: 1 });
  });

  it("counts neither line breaks nor paragraphs nor soft hyphens as changes", () => {
    const before = [block("You may end the con\u00adtract at any time. Write to us.")];
    const after = [block("You may end the contract at"), block("any time. Write to us.")];
    expect(told(compare(before, after))).toEqual(["same"]);
  });

  it("keeps a paragraph together whose first words were replaced", () => {
    const before = [filler(1), block("Riders must wear a helmet at all times."), filler(2)];
    const after = [filler(1), block("Couriers should wear a helmet at all times."), filler(2)];
    expect(told(compare(before, after))).toEqual([
      "1 [-Riders must-] {+Couriers should+} wear a helmet at all times.",
    ]);
  });

  it("shows a paragraph that is gone, and one that is new, on their own", () => {
    const gone = block("Your bag is free of charge for the first year.");
    expect(told(compare([filler(1), gone, filler(2)], [filler(1), filler(2)]))).toEqual([
      "1 [-Your bag is free of charge for the first year.-]",
    ]);
    expect(told(compare([filler(1), filler(2)], [filler(1), gone, filler(2)]))).toEqual([
      "1 {+Your bag is free of charge for the first year.+}",
    ]);
  });

  it("cuts the middle of what stayed in a long paragraph", () => {
    const long = Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ");
    const [only] = told(compare([block(`old ${long} end`)], [block(`new ${long} end.`)]));
    expect(only).toContain("{+new+} w0 w1");
    expect(only).toContain(" … ");
    expect(only?.split(" ").length).toBeLessThan(70);
  });

  it("says when there is no text, and when it is another text altogether", () => {
    expect(told(compare([], [filler(1)]))).toEqual(["textless"]);
    const other = [block("Nothing of this has ever been written anywhere before today, nor said.")];
    expect(told(compare([filler(1), heading("Pay")], other))).toEqual(["different"]);
  });

  it("keeps the direction of each paragraph", () => {
    const ar = (text: string) => block(text, { dir: "rtl" });
    const kept = "يدفع السائق رسوم المعدات في أول كل شهر";
    const comparison = compare([ar(`${kept} 50 يورو`)], [ar(`${kept} 60 يورو`)]);
    expect(told(comparison)).toEqual([`0 ${kept} [-50-] {+60+} يورو`]);
    expect(comparison).toMatchObject({ paragraphs: [{ dir: "rtl" }] });
  });
});

it("takes numbers, joined words and signs for words", () => {
  const words = (text: string) => wordsOf([block(text)]).map((word) => word.text);
  expect(words("On 1.12.2026 at 10:30, don’t pay 1,000.50 €.")).toEqual(
    "On|1.12.2026|at|10:30|,|don’t|pay|1,000.50|€|.".split("|"),
  );
  // Thai has no spaces: its words are found by a dictionary.
  expect(words("ผู้ขับขี่ต้องสวมหมวก").length).toBeGreaterThan(2);
});
