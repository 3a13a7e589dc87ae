import { expect, it } from "vitest";
import { emptyDraft } from "./draft";
import { sameDocuments } from "./same-documents";

const variant = (locale: string, sha256?: string) => ({
  locale,
  title: locale,
  ...(sha256 && { document: { sha256, bytes: 1, pages: 1 } }),
});

it("finds languages that share a file, ignoring those without one", () => {
  const of = (...variants: ReturnType<typeof variant>[]) =>
    sameDocuments({ ...emptyDraft, variants });
  expect(of(variant("en", "a"), variant("de", "b"), variant("ar"), variant("fr"))).toEqual([]);
  expect(of(variant("en", "a"), variant("de", "b"), variant("ar", "a"))).toEqual([["en", "ar"]]);
});
