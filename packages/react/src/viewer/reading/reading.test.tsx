// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { click, mount } from "../../testing/mount";
import { loadTexts } from "../../texts";
import type { Block, Doubt, ManifestPage } from "../manifest";
import { findWords } from "./find-words";
import { byPage, Reading } from "./reading";
import { splitForSpeech, spokenText } from "./use-speech";

const { viewer: texts } = await loadTexts("en");

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

const page = (number: number): ManifestPage => ({
  width: 780,
  height: 1103,
  src: `/documents/x/${number}.png`,
  src2x: `/documents/x/${number}@2x.png`,
  lines: `/documents/x/${number}.json`,
});

const block = (change: Partial<Block>): Block => ({
  page: 1,
  kind: "paragraph",
  text: "",
  dir: "ltr",
  ...change,
});

const BLOCKS: readonly Block[] = [
  block({ kind: "heading", level: 1, text: "Terms" }),
  block({ kind: "item", text: "1. You ride", marker: "1.", depth: 1 }),
  block({ kind: "item", text: "with a light", marker: "•", depth: 2 }),
  block({ kind: "paragraph", text: "and with care", depth: 1 }),
  block({ kind: "item", text: "2. We pay", marker: "2.", depth: 1 }),
  block({ kind: "paragraph", text: "Beware of the Straße", framed: 1 }),
  block({
    kind: "table",
    text: "Work · Pay",
    rows: [
      [
        { text: "Work", dir: "ltr", head: true },
        { text: "Pay", dir: "ltr", head: true },
      ],
      [{ text: "Nothing to report", dir: "ltr", columns: 2 }],
    ],
  }),
  block({ kind: "figure", text: "A map", area: { x: 78, y: 100, width: 390, height: 200 } }),
  block({ kind: "note", text: "1 A footnote at \u2066555-0100\u2069" }),
  block({ page: 2, text: "Doubtful words" }),
  block({ page: 3, text: "The end" }),
];

async function read(doubts: readonly Doubt[] = [], blocks = BLOCKS, isChecked = true) {
  const onPages = vi.fn();
  const onZoom = vi.fn();
  const mounted = await mount(
    <section>
      <Reading
        blocks={blocks}
        {...{ doubts, isChecked }}
        pages={[1, 2, 3].map(page)}
        base="https://riders.example/documents/x/manifest.json"
        start={vi.fn()}
        texts={texts}
        lang="en"
        locale="en"
        zoom={1}
        {...{ onZoom, onPages }}
      />
    </section>,
  );
  const find = (selector: string) => mounted.page.querySelector<HTMLElement>(selector);
  return {
    ...mounted,
    find,
    onPages,
    onZoom,
    button: (name: string) => find(`button[title="${name}"]`),
  };
}

it("renders nested lists, tables, frames and footnotes as semantic elements", async () => {
  const { find, page } = await read();
  const items = [...page.querySelectorAll("ol > li")];
  expect(items.map((item) => item.textContent)).toEqual([
    "1. You ridewith a lightand with care",
    "2. We pay",
  ]);
  expect(items[0]?.querySelector("ul > li")?.textContent).toBe("with a light");
  expect(items[0]?.querySelector(":scope > p")?.textContent).toBe("and with care");
  expect([...page.querySelectorAll("th")].map((cell) => cell.textContent)).toEqual(["Work", "Pay"]);
  expect(find("td")?.getAttribute("colspan")).toBe("2");
  expect(find("[role=group]")?.getAttribute("aria-label")).toBe("Table");
  expect(find(".mu-viewer-framed")?.textContent).toBe("Beware of the Straße");
  expect(find(".mu-viewer-footnote")?.textContent).toBe("1 A footnote at \u2066555-0100\u2069");
  expect(findWords(page, "555-0100")).toHaveLength(1);
});

it("keeps the number of every item in a mixed list", async () => {
  const { page } = await read(
    [],
    [
      block({ kind: "item", text: "a helmet", marker: "•", depth: 1 }),
      block({ kind: "item", text: "2. a phone", marker: "2.", depth: 1 }),
      block({ kind: "item", text: "-5 degrees", marker: "-", depth: 1 }),
    ],
  );
  const items = [...page.querySelectorAll("li")].map((item) => item.textContent);
  expect(items).toEqual(["a helmet", "2. a phone", "-5 degrees"]);
});

it("says of a document of an earlier version that its text was not compared with its pages", async () => {
  const checked = await read();
  expect(checked.page.textContent).not.toContain(texts.uncheckedNote);
  const former = await read([], BLOCKS, false);
  expect(former.find(".mu-viewer-note")?.textContent).toContain(texts.uncheckedNote);
});

it("crops a figure from the image of its page", async () => {
  const { find } = await read();
  const image = find("figure img") as HTMLImageElement;
  expect(image.alt).toBe("Picture on page 1: A map");
  expect(image.src).toBe("https://riders.example/documents/x/1.png");
  expect(image.style.inlineSize).toBe("200%");
  expect([image.style.left, image.style.top]).toEqual(["-20%", "-50%"]);
});

it("shows the images of a figure instead of those of its page, at the same place", async () => {
  const area = { x: 78.4, y: 100.5, width: 390, height: 200 };
  const src = "/documents/x/1-1.png";
  const cut = { x: 78, y: 100, width: 391, height: 201, src, src2x: "/documents/x/1-1@2x.png" };
  const { find, page } = await read([], [block({ kind: "figure", text: "A map", area, cut })]);
  const image = find("figure img") as HTMLImageElement;
  expect(image.src).toBe(`https://riders.example${src}`);
  expect(image.srcset).toBe(
    "https://riders.example/documents/x/1-1.png 391w, https://riders.example/documents/x/1-1@2x.png 782w",
  );
  expect([image.width, image.height, image.loading]).toEqual([391, 201, "lazy"]);
  const style = (name: "inlineSize" | "left" | "top") => Number.parseFloat(image.style[name]);
  expect(style("inlineSize")).toBeCloseTo((391 / 390) * 100);
  expect([style("left"), style("top")]).toEqual([
    expect.closeTo((-0.4 / 390) * 100),
    expect.closeTo((-0.5 / 200) * 100),
  ]);
  const images = [...page.querySelectorAll("img")].map((shown) => shown.src);
  expect(images).not.toContain("https://riders.example/documents/x/1.png");
});

it("shows a part of a page that could not be read, and its name does not pretend to be its text", async () => {
  const area = { x: 78, y: 100, width: 390, height: 40 };
  const { find } = await read([], [block({ kind: "figure", text: "", area, marked: true })]);
  const name = "Part of page 1, shown as it is printed. It could not be read reliably as text.";
  expect(find("figure img")?.getAttribute("alt")).toBe(name);
  expect(find("figcaption")?.textContent).toBe(name);
  expect(spokenText(find("figure") as HTMLElement)).toBe(name);
});

it("shows an error for a missing image, does not count it as shown, and retries", async () => {
  const { find } = await read([{ page: 2, kind: "order" }]);
  const image = () => find(".mu-viewer-doubt img") as HTMLImageElement;
  const first = image();
  await act(async () => first.dispatchEvent(new Event("error")));
  expect(find(".mu-viewer-doubt [role=status]")?.textContent).toContain(texts.pageFailed(2));
  expect(image()).toBe(first);
  expect(image().parentElement?.hidden).toBe(true);
  await click(find(".mu-viewer-doubt [role=status] button"));
  expect(image()).not.toBe(first);
  expect(image().parentElement?.hidden).toBe(false);
});

it("shows the image of a doubtful page, and its text without evidence", async () => {
  const { find, page } = await read([{ page: 2, kind: "order" }]);
  expect(find(".mu-viewer-doubt")?.textContent).toContain(texts.doubtfulPage(2));
  expect(find(".mu-viewer-doubt img")?.getAttribute("src")).toContain("/2.png");
  expect(find(".mu-viewer-doubt details")?.textContent).toContain("Doubtful words");
  expect(find(".mu-viewer-doubt details [data-page]")).toBeNull();
  expect(page.textContent).toContain("The end");
});

it("splits the blocks at doubtful pages", () => {
  const pages = (doubts: readonly Doubt[]) =>
    byPage(BLOCKS, doubts).map(({ page, first, blocks }) => [page, first, blocks.length]);
  expect(pages([])).toEqual([[1, 0, 11]]);
  expect(pages([{ page: 2, kind: "words" }])).toEqual([
    [1, 0, 9],
    [2, 9, 1],
    [3, 10, 1],
  ]);
  // A text in another order is complete.
  const reordered = [block({ page: 2, text: "second" }), block({ page: 1, text: "first" })];
  expect(byPage(reordered, []).flatMap((part) => part.blocks)).toEqual(reordered);
  // A scan at the end has no blocks.
  expect(pages([{ page: 4, kind: "picture" }])).toEqual([
    [1, 0, 11],
    [4, 11, 0],
  ]);
});

it("finds text without regard to case and marks", async () => {
  const { page, button, find } = await read([{ page: 2, kind: "order" }]);
  const root = page.querySelector<HTMLElement>(".mu-viewer-reading") as HTMLElement;
  expect(findWords(root, "BEWARE").map(String)).toEqual(["Beware"]);
  expect(findWords(root, "1. you").map(String)).toEqual(["1. You"]);
  const [inPicture] = findWords(root, "a map");
  expect(inPicture?.startContainer.parentElement?.closest("figure")).not.toBeNull();
  await click(button(texts.search));
  const field = find("input[type=search]") as HTMLInputElement;
  const type = (value: string) =>
    act(async () => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      set?.call(field, value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  await type("pay");
  expect(find("search [role=status]")?.textContent).toContain("1 of 2");
  expect(find("search [role=status]")?.textContent).toContain(texts.picturesNotSearched);
  await click(button(texts.nextMatch));
  expect(find("search [role=status]")?.textContent).toContain("2 of 2");
  await type("zebra");
  expect(find("search [role=status]")?.textContent).toContain(texts.notFound);
});

it("stores the text settings", async () => {
  const { button, find, leave } = await read();
  await click(button(texts.textSettings));
  const choose = (label: string) =>
    click(
      [...document.querySelectorAll("label")]
        .find((element) => element.textContent === label)
        ?.querySelector("input") ?? null,
    );
  await choose(texts.spacingWide);
  await choose(texts.coloursDark);
  expect(find(".mu-viewer-reading")?.dataset.spacing).toBe("wide");
  expect(find(".mu-viewer-reading")?.style.colorScheme).toBe("dark");
  await leave();
  localStorage.setItem("mu-viewer-text", JSON.stringify({ spacing: "wide", size: 9 }));
  const reopened = await read();
  expect(reopened.find(".mu-viewer-reading")?.dataset.spacing).toBe("wide");
  // The size is limited to the maximum of the buttons.
  expect(reopened.onZoom).toHaveBeenLastCalledWith(4);
});

it("has a button to the page view", async () => {
  const { find, onPages } = await read();
  await click(find(".mu-viewer-note button"));
  expect(onPages).toHaveBeenCalledTimes(1);
});

it("reads aloud with a pause after each cell and each item", async () => {
  const { find } = await read();
  const words = (selector: string) => spokenText(find(selector) as HTMLElement).split("\n");
  expect(words("table")).toEqual(["Work", "Pay", "Nothing to report"]);
  expect(words("ol > li")).toEqual(["1. You ride", "with a light", "and with care"]);
  expect(words("figure")).toEqual(["Picture on page 1: A map"]);
});

it("reads aloud in portions that no voice cuts off", () => {
  expect(splitForSpeech("One. Two! Three?")).toEqual(["One. Two! Three?"]);
  const long = splitForSpeech(`${"word ".repeat(100)}end.`);
  expect(long.every((part) => part.length <= 221)).toBe(true);
  expect(long.join("").replace(/\s+/g, " ").trim()).toBe(`${"word ".repeat(100)}end.`);
});
