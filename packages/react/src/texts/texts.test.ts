import { describe, expect, it, vi } from "vitest";
import { texts as ar } from "./generated/ar";
import { texts as de } from "./generated/de";
import { en } from "./generated/en";
import { enDeferred } from "./generated/en-deferred";
import { enKit } from "./generated/en-kit";
import { addLanguage, fetchTexts, loadTexts, textsAtHand, withOverrides } from "./languages";
import { lookup } from "./lookup";

describe("lookup", () => {
  it.each([
    ["ar-EG", "ar"],
    ["zh-Hant-TW", "zh-hant"],
    ["de-x-private", "de"],
    ["DE", "de"],
    ["de_DE", "de"],
    ["d", undefined],
    ["", undefined],
    ["fr-CA", undefined],
  ])("%s → %s", (range, expected) => {
    expect(lookup(range, ["en", "de", "ar", "zh-hant"])).toBe(expected);
  });
});

it("has every Arabic plural form", () => {
  const { requiredLeft } = ar.consent;
  const forms = [0, 1, 2, 3, 11, 100].map(requiredLeft);
  expect(new Set(forms).size).toBe(6);
  expect(requiredLeft(3)).toContain("3");
  expect(requiredLeft(2)).not.toContain("2");
});

it.each([
  ["en", { ...en, ...enDeferred }],
  ["de", de],
  ["ar", ar],
])("%s says every text", (lang, texts) => {
  expect(texts.lang).toBe(lang);
  const words = JSON.stringify(texts, (_, value) =>
    typeof value === "function" ? value(2, 5) : value,
  );
  expect(words).not.toMatch(/""|undefined/);
  expect(words).toContain("5");
});

it("fetches a language once and finds it by a longer tag", async () => {
  const load = vi.fn(async () => ({ ...en, lang: "pt" }));
  addLanguage("pt", load);
  expect(textsAtHand("pt-BR")).toBeUndefined();
  expect((await loadTexts("pt-BR")).lang).toBe("pt");
  expect((await loadTexts("pt-PT")).lang).toBe("pt");
  expect(textsAtHand("pt-BR")?.lang).toBe("pt");
  expect(load).toHaveBeenCalledOnce();
});

it("falls back to English for a language that is unknown or cannot be fetched", async () => {
  addLanguage("xx", () => Promise.reject(new Error("offline")));
  expect(await fetchTexts("xx")).toBe(en);
  expect(await fetchTexts("tlh")).toBe(en);
});

it("fills what a host's language lacks with English", async () => {
  addLanguage("eo", { ...en, lang: "eo", viewer: { close: "Fermi" } });
  const texts = await loadTexts("eo");
  expect(texts.viewer).toEqual({ ...enDeferred.viewer, close: "Fermi" });
  expect(texts.ui).toEqual(enKit.ui);
});

it("lays a host's words over a language", () => {
  const texts = withOverrides(de, { consent: { accept: "Los" } });
  expect(texts.consent.accept).toBe("Los");
  expect(texts.consent.title).toBe(de.consent.title);
  expect(texts.viewer).toEqual(de.viewer);
});
