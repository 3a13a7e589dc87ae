import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./blocks";

const SOURCE = join(ROOT, "apps/console/src");
const GUIDE = join(ROOT, "docs/console.md");

/** Words of the guide in italics that are no texts of the console: roles, as the server names them. */
const NO_TEXTS = ["representative"];

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
const catalogues = files.filter((file) => file.endsWith("/texts/en.ts"));
const texts = catalogues
  .flatMap(
    (file) => readFileSync(join(SOURCE, file), "utf8").match(/"(?:[^"\\]|\\.)*"|`[^`]*`/g) ?? [],
  )
  .join("\n");

/** Returns the names of the console's texts in the guide: `*Settings → Users and roles*` has two. */
function namedTexts(markdown: string): readonly string[] {
  const italics = markdown.matchAll(/(?<![*\w])\*(?!\*)([^*]+?)\*(?![*\w])/g);
  return [...italics].flatMap(([, name = ""]) => name.replaceAll(/\s+/g, " ").split(" → "));
}

/** Returns whether it is a text, or a part of one, such as the name of an option. */
const isText = (name: string) => {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<!\\w)${escaped}(?!\\w)`).test(texts);
};

it("names only texts that the console has", () => {
  expect(catalogues.length).toBeGreaterThan(30);
  const names = namedTexts(readFileSync(GUIDE, "utf8"));
  expect(names.length).toBeGreaterThan(30);
  const unknown = names.filter((name) => !NO_TEXTS.includes(name) && !isText(name));
  expect(unknown).toEqual([]);
});

it("recognises a text that does not exist", () => {
  expect(namedTexts("Press *Publish version* or *Settings → Coverage of terms*.")).toEqual([
    "Publish version",
    "Settings",
    "Coverage of terms",
  ]);
  expect(isText("Publish version")).toBe(true);
  expect(isText("Coverage of terms")).toBe(false);
});
