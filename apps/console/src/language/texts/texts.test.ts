import { describe, expect, it } from "vitest";
import { offered, prepareLanguage } from "../language-context";
import { en } from "./en";

const names = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "object" ? names(inner).map((path) => `${name}.${path}`) : [name],
  );
const words = (of: object) =>
  JSON.stringify(of, (_, value) => (typeof value === "function" ? value("5", "7", "9") : value));

describe.each(offered)("$tag", (language) => {
  const load = async () => (await prepareLanguage(language)).texts;

  it("has the same texts as English", async () => {
    expect(names(await load())).toEqual(names(en));
  });

  it("has no empty texts", async () => {
    expect(words(await load())).not.toMatch(/""|undefined/);
  });
});

const modules = import.meta.glob<Readonly<Record<string, object>>>(
  ["../../**/texts/{en,de,es,fr,pt,ar}.ts", "!./*"],
  { eager: true },
);
const pages = Object.entries(modules).map(([path, module]) => {
  const [, subject, tag] = /^\.\.\/\.\.\/(.+)\/texts\/(.+)\.ts$/.exec(path) ?? [];
  return { subject, tag, texts: module[tag ?? ""] ?? {} };
});
const english = (subject: string | undefined) =>
  pages.find((page) => page.subject === subject && page.tag === "en")?.texts ?? {};

describe("the texts of one page", () => {
  it("exist in every language", () => {
    const subjects = new Set(pages.map(({ subject }) => subject));
    expect(subjects.size).toBeGreaterThan(10);
    expect(pages).toHaveLength(subjects.size * offered.length);
  });

  it.each(pages)("$subject in $tag has the same texts as English", ({ subject, texts }) => {
    expect(names(texts)).toEqual(names(english(subject)));
    expect(words(texts)).not.toMatch(/""|undefined/);
  });
});
