import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const sheets = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => [file, readFileSync(root + file, "utf8")] as const);

/** Classes that a style sheet says something about by themselves, not within or beside another. */
function alone(css: string): readonly string[] {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{/g);
  return [...rules]
    .flatMap(([, selectors = ""]) => selectors.split(","))
    .map((selector) => /^\.([a-z][a-z0-9-]*)$/.exec(selector.trim())?.[1])
    .filter((name) => name !== undefined);
}

// Style sheets come with their pages and stay: what two of them call by one name would depend on
// which page was looked at before.
it("no class is given its looks by two style sheets", () => {
  const files = new Map<string, Set<string>>();
  for (const [file, css] of sheets) {
    for (const name of alone(css)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  expect(files.size).toBeGreaterThan(100);
  expect([...files].filter(([, found]) => found.size > 1)).toEqual([]);
});
