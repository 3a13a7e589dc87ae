import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Attributes that people read or hear. */
const READ = new Set(["alt", "aria-description", "aria-label", "label", "placeholder", "title"]);

/** Texts that are the same in every language: a name, and the values of JSON. */
const NAMES = new Set(["Musette", "true", "false"]);

const LETTERS = /\p{L}{2,}/u;

const sources = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx") && !/\.test\.|-stage\.|testing\/|\/model\//.test(file))
    .map((file) => join(folder, file));

/** Returns texts in or between the elements of a file that are not in a language file. */
function wordsIn(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code, { lang: "tsx" });
  if (errors.length) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: string[] = [];
  const look = (text: string) => {
    if (LETTERS.test(text) && !NAMES.has(text.trim())) found.push(`${file}: ${text.trim()}`);
  };
  new Visitor({
    JSXText: ({ value }) => look(value),
    JSXExpressionContainer: ({ expression }) => {
      if (expression.type === "Literal" && typeof expression.value === "string")
        look(expression.value);
    },
    JSXAttribute: ({ name, value }) => {
      if (name.type !== "JSXIdentifier" || !READ.has(name.name)) return;
      if (value?.type === "Literal" && typeof value.value === "string") look(value.value);
    },
  }).visit(program);
  return found;
}

it.each(["apps/rider/src", "packages/react/src"])(
  "%s contains no text outside the catalogues",
  (folder) => {
    const files = sources(folder);
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((file) => wordsIn(file, readFileSync(join(ROOT, file), "utf8")))).toEqual(
      [],
    );
  },
);

it("finds text that is written into a component", () => {
  const code = `const a = <p title="Hello" id="x">Good day{"or evening"}{b} · </p>;`;
  expect(wordsIn("a.tsx", code)).toEqual(["a.tsx: Hello", "a.tsx: Good day", "a.tsx: or evening"]);
});
