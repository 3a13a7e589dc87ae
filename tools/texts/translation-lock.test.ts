import { expect, it } from "vitest";
import { pages, readPage, TRANSLATIONS, textsIn } from "./console-texts.mjs";
import {
  currentEntries,
  entry,
  lockFindings,
  readLock,
  staleLanguages,
  updated,
} from "./translation-lock.mjs";

/** An entry with a translation for each language. `changed` names languages with a new translation. */
const entryOf = (english: string, changed: readonly string[] = []) =>
  entry(english, ...TRANSLATIONS.map((tag) => (changed.includes(tag) ? `${tag} new` : tag)));

it("has no stale translations in the console", () => {
  expect(lockFindings(readLock(), currentEntries())).toEqual([]);
});

it("reads the texts of all pages", () => {
  expect(pages().length).toBeGreaterThan(25);
  expect(currentEntries().size).toBeGreaterThan(2_500);
  expect(readPage("terms/coverage", "de").get("accepted")).toBe("Zugestimmt");
});

it("reads nested texts, functions and shared objects", () => {
  const texts = textsIn(
    "en.ts",
    `const shared = { save: "Save", count: plural("en", { one: "# row", other: "# rows" }) };
     export const en = { ...shared, none: { title: "None" } as Texts, comma: ", ",
       of: (n: string, all: string) => \`\${n} of \${all}\` };`,
  );
  expect(Object.fromEntries(texts)).toEqual({
    "shared.save": "Save",
    "shared.count": "en{}# row{}# rows",
    "none.title": "None",
    of: "{} of {}",
  });
});

it("reads the same text from a reformatted file and from escapes", () => {
  const [short, long] = [
    `export const fr = { of: (n) => "Prêt\\u202f!" };`,
    `export const fr = {\n  of:\n    (count: string) =>\n      "Prêt\u202f!",\n};`,
  ].map((source) => textsIn("fr.ts", source));
  expect(long).toEqual(short);
});

it("names the languages that were not translated after English changed", () => {
  const locked = entryOf("Before");
  expect(staleLanguages(locked, entryOf("Before"))).toEqual([]);
  expect(staleLanguages(locked, entryOf("After"))).toEqual(TRANSLATIONS);
  expect(staleLanguages(locked, entryOf("After", ["de", "ar"]))).toEqual(["es", "fr", "pt"]);
  expect(staleLanguages(locked, entryOf("After", TRANSLATIONS))).toEqual([]);
});

it("does not require a translation of a text that a language does not have", () => {
  const texts = TRANSLATIONS.map((tag) => (tag === "ar" ? undefined : tag));
  const [locked, now] = ["Before", "After"].map((english) => entry(english, ...texts));
  expect(staleLanguages(locked, now)).toEqual(["de", "es", "fr", "pt"]);
});

it("keeps the former entry until all languages are translated", () => {
  const locked = new Map([["page key", entryOf("Before")]]);
  const partial = new Map([["page key", entryOf("After", ["de"])]]);
  const complete = new Map([["page key", entryOf("After", TRANSLATIONS)]]);
  expect(updated(locked, partial)).toEqual(locked);
  expect(lockFindings(locked, partial)).toEqual([
    "console: page key: English changed, translate it: ar, es, fr, pt",
  ]);
  expect(updated(locked, complete)).toEqual(complete);
});

it("reports texts that are new, removed or translated again as an outdated lock", () => {
  const locked = new Map([
    ["page gone", entryOf("Text")],
    ["page improved", entryOf("Text")],
  ]);
  const current = new Map([
    ["page improved", entryOf("Text", ["fr"])],
    ["page new", entryOf("Text")],
  ]);
  expect(lockFindings(locked, current)).toEqual([
    "console: page improved: the lock is out of date: npm run texts",
    "console: page new: the lock is out of date: npm run texts",
    "console: page gone: the text was removed: npm run texts",
  ]);
  expect(lockFindings(updated(locked, current), current)).toEqual([]);
});
