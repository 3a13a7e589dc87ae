import { chooseLanguage, languages } from "@musette/react/language";
import { describe, expect, it, vi } from "vitest";
import { firstLanguage, offered, prepareLanguage } from "./language";
import { completeTexts } from "./page-language";

describe("the language", () => {
  it.each([
    [["ar-EG", "en"], "ar"],
    [["de-AT"], "de"],
    [["nl-BE", "de"], "de"],
    [["pt-PT"], "pt"],
    [["nl"], "en"],
    [[], "en"],
    [["de", "ar-EG"], "de"],
  ])("for a person who reads %j is %s", (wanted, tag) => {
    expect(chooseLanguage(wanted).tag).toBe(tag);
  });

  it("is any of the twelve, each with its own texts", async () => {
    expect(offered).toEqual(languages);
    expect(offered).toHaveLength(12);
    const ready = await Promise.all(offered.map(prepareLanguage));
    expect(ready.map(({ texts }) => texts.lang)).toEqual(offered.map(({ tag }) => tag));
    expect(ready.map(({ texts }) => texts.dir)).toEqual(offered.map(({ dir }) => dir));
    const intros = ready.map(({ texts }) => completeTexts(texts).signIn.intro);
    expect(new Set(intros).size).toBe(12);
  });

  it("is the browser's at first", () => {
    vi.stubGlobal("navigator", { languages: ["nl", "ur-PK"] });
    expect(firstLanguage().tag).toBe("ur");
  });
});
