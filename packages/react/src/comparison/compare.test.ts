import { describe, expect, it } from "vitest";
import type { Block } from "../viewer/manifest";
import { type Comparison, compare } from "./compare";
import { comparableBlocks, unreadPages } from "./unread";
import { wordsOf } from "./words";

const block = (text: string, over: Partial<Block> = {}): Block => ({
  page: 1,
  kind: "paragraph",
  text,
  dir: "ltr",
  ...over,
});
const heading = (text: string) => block(text, { kind: "heading", level: 1 });

/** Renders one line per paragraph, with `[-removed-]` and `{+added+}`. */
function render(comparison: Comparison): readonly string[] {
  if (comparison.kind !== "changes") return [comparison.kind];
  return comparison.paragraphs.map(({ runs, skipped }) =>
    runs.reduce((line, { kind, text, spaced }) => {
      const marked = { same: text, removed: `[-${text}-]`, added: `{+${text}+}` }[kind];
      return `${line}${spaced ? " " : ""}${marked}`;
    }, `${skipped} `),
  );
}

const filler = (n: number) => block(`Clause ${n} stays as it is, word for word.`);

describe("compare", () => {
  it("returns changed paragraphs with their heading and counts the others", () => {
    const before = [
      heading("1 Start"),
      filler(1),
      heading("2 Pay"),
      filler(2),
      block("The company keeps 2.5 % of each fare, as before."),
      filler(3),
    ];
    const after = before.map((original) =>
      block(original.text.replace("2.5 %", "3.5 %").replace(", as before", ""), {
        kind: original.kind,
      }),
    );
    const comparison = compare(before, after);
    expect(render(comparison)).toEqual([
      "2 2 Pay",
      "1 The company keeps [-2.5-] {+3.5+} % of each fare[-, as before-].",
    ]);
    expect(comparison).toMatchObject({ added: 1, removed: 4, rest: 1 });
  });

  it("ignores line breaks, paragraphs and soft hyphens", () => {
    const before = [block("You may end the con\u00adtract at any time. Write to us.")];
    const after = [block("You may end the contract at"), block("any time. Write to us.")];
    expect(render(compare(before, after))).toEqual(["same"]);
  });

  it("keeps a paragraph with replaced first words together", () => {
    const before = [filler(1), block("Riders must wear a helmet at all times."), filler(2)];
    const after = [filler(1), block("Couriers should wear a helmet at all times."), filler(2)];
    expect(render(compare(before, after))).toEqual([
      "1 [-Riders must-] {+Couriers should+} wear a helmet at all times.",
    ]);
  });

  it("returns a removed and an added paragraph separately", () => {
    const extra = block("Your bag is free of charge for the first year.");
    expect(render(compare([filler(1), extra, filler(2)], [filler(1), filler(2)]))).toEqual([
      "1 [-Your bag is free of charge for the first year.-]",
    ]);
    expect(render(compare([filler(1), filler(2)], [filler(1), extra, filler(2)]))).toEqual([
      "1 {+Your bag is free of charge for the first year.+}",
    ]);
  });

  it("omits the middle of unchanged text in a long paragraph", () => {
    const long = Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ");
    const [line] = render(compare([block(`old ${long} end`)], [block(`new ${long} end.`)]));
    expect(line).toContain("{+new+} w0 w1");
    expect(line).toContain(" … ");
    expect(line?.split(" ").length).toBeLessThan(70);
  });

  it("reports a missing text and a completely different text", () => {
    expect(render(compare([], [filler(1)]))).toEqual(["textless"]);
    const other = [block("Nothing of this has ever been written anywhere before today, nor said.")];
    expect(render(compare([filler(1), heading("Pay")], other))).toEqual(["different"]);
  });

  it("keeps the direction of each paragraph", () => {
    const ar = (text: string) => block(text, { dir: "rtl" });
    const unchanged = "يدفع السائق رسوم المعدات في أول كل شهر";
    const comparison = compare([ar(`${unchanged} 50 يورو`)], [ar(`${unchanged} 60 يورو`)]);
    expect(render(comparison)).toEqual([`0 ${unchanged} [-50-] {+60+} يورو`]);
    expect(comparison).toMatchObject({ paragraphs: [{ dir: "rtl" }] });
  });
});

it("splits a text into numbers, joined words and signs", () => {
  const words = (text: string) => wordsOf([block(text)]).map((word) => word.text);
  expect(words("On 1.12.2026 at 10:30, don’t pay 1,000.50 €.")).toEqual(
    "On|1.12.2026|at|10:30|,|don’t|pay|1,000.50|€|.".split("|"),
  );
  // Thai has no spaces. A dictionary finds its words.
  expect(words("ผู้ขับขี่ต้องสวมหมวก").length).toBeGreaterThan(2);
});

describe("pages that are not text", () => {
  it("reads a footnote mark as a word of its own", () => {
    const words = (text: string) => wordsOf([block(text)]).map((word) => word.text);
    expect(words("EUR 50¹, 20 m² and 10⁻³")).toEqual([
      "EUR",
      "50",
      "¹",
      ",",
      "20",
      "m",
      "²",
      "and",
      "10",
      "⁻³",
    ]);
    const [line] = render(compare([block("You pay EUR 50.")], [block("You pay EUR 50¹.")]));
    expect(line).toBe("0 You pay EUR 50{+¹+}.");
  });

  it("names the pages with doubts or parts that are pictures", () => {
    const marked = block("", { kind: "figure", page: 2, marked: true });
    const blocks = [block("One"), marked, block("Three", { page: 3 })];
    const manifest = { doubts: [{ page: 3, kind: "words" }] };
    expect([...unreadPages({ blocks, manifest })].sort()).toEqual([2, 3]);
    expect([...unreadPages({ blocks: [block("One")], manifest: {} })]).toEqual([]);
    expect(comparableBlocks({ blocks, manifest }).map(({ page }) => page)).toEqual([1, 2]);
  });

  it("compares running heads apart from the text", () => {
    const head = block("Larkspur", { kind: "margin" });
    const blocks = [head, block("One"), { ...head, page: 2 }, block("Two", { page: 2 })];
    const texts = comparableBlocks({ blocks, manifest: {} }).map(({ text }) => text);
    expect(texts).toEqual(["One", "Two", "Larkspur"]);
  });
});
