import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Words for unnamed people, and idioms that a reader of another first language reads twice. */
const REJECTED = /\b(nobody|somebody|anybody|everybody|whoever|at once|for good|put back)\b/i;

const root = new URL("../../", import.meta.url).pathname;

const filesIn = (folder: string, name: RegExp) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file))
    .map((file) => `${folder}/${file}`);

/** Returns the string literals of a file without its comments. */
function literals(file: string): readonly string[] {
  const source = readFileSync(root + file, "utf8");
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return code.match(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
}

const rejected = (file: string) =>
  literals(file)
    .filter((text) => REJECTED.test(text))
    .map((text) => `${file}: ${text}`);

it("uses plain words in the English texts of the console", () => {
  const catalogues = filesIn("apps/console/src", /(^|\/)texts\/en\.ts$/);
  expect(catalogues.length).toBeGreaterThan(20);
  expect(catalogues.flatMap(rejected)).toEqual([]);
});

it("uses plain words in the error details of the API", () => {
  const operations = filesIn("crates/server/src/http", /\.rs$/);
  expect(operations.length).toBeGreaterThan(50);
  // A single word is a code, not a text.
  const isText = (text: string) => text.slice(text.indexOf('"')).includes(" ");
  expect(operations.flatMap(rejected).filter(isText)).toEqual([]);
});
