import { chooseLanguage } from "@musette/react/language";
import { describe, expect, it } from "vitest";
import { ar } from "../texts/ar";
import { de } from "../texts/de";
import { en } from "../texts/en";

describe("the language", () => {
  it.each([
    [["ar-EG", "en"], "ar"],
    [["de-AT"], "de"],
    [["pt-BR", "de"], "de"],
    [["pt-BR"], "en"],
    [[], "en"],
    [["de", "ar-EG"], "de"],
  ])("of someone who reads %j is %s", (wanted, tag) => {
    expect(chooseLanguage(wanted).tag).toBe(tag);
  });

  it("has words for everything that English has", () => {
    const words = (texts: object): string[] =>
      Object.entries(texts).flatMap(([key, value]) =>
        typeof value === "object" ? words(value).map((path) => `${key}.${path}`) : [key],
      );
    expect(words(de)).toEqual(expect.arrayContaining(words(en)));
    expect(words(ar)).toEqual(expect.arrayContaining(words(en)));
    expect(JSON.stringify([de, ar])).not.toContain('""');
  });
});
