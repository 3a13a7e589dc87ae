import { expect, it } from "vitest";
import { emptyDraft } from "./draft";
import { otherLanguages } from "./other-languages";

it("names the language of the draft and of the text for each warning of the server", () => {
  const document = { sha256: "a", bytes: 1, pages: 1 };
  const variants = [
    { locale: "en", title: "", document: { ...document, language: "en" } },
    { locale: "de", title: "", document: { ...document, language: "en" } },
    { locale: "ar", title: "", document },
  ];
  const warning = (code: string, index: number) => ({
    code,
    detail: "",
    pointer: `/variants/${index}/document`,
  });
  const warnings = [
    warning("same_document", 0),
    warning("other_language", 1),
    warning("other_language", 2),
  ];
  expect(otherLanguages(warnings, { ...emptyDraft, variants })).toEqual([
    { locale: "de", detected: "en" },
  ]);
});
