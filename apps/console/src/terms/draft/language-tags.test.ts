import { expect, it } from "vitest";
import { isTag } from "./language-tags";

it.each(["de", "pt-BR", "zh-Hant-TW", "sr-Latn"])("%s is a tag", (tag) => {
  expect(isTag(tag)).toBe(true);
});

it.each(["", "d", "deutsch!", "de_DE", "de-", "x-klingonisch-lang", "12-de"])(
  "%j is not a tag",
  (tag) => {
    expect(isTag(tag)).toBe(false);
  },
);
