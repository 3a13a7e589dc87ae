import { expect, it } from "vitest";
import { differences, merged, saysTheSame } from "./difference";
import type { DraftBody } from "./draft";

const base: DraftBody = {
  type: "FREELANCER",
  mandatory: true,
  minor: false,
  variants: [
    { locale: "en", title: "Handbook" },
    { locale: "de", title: "Handbuch" },
  ],
};

it("is empty if both have the same content", () => {
  expect(
    saysTheSame(base, { ...base, variants: base.variants.map((variant) => ({ ...variant })) }),
  ).toBe(true);
  expect(saysTheSame(base, { ...base, summary: "Clearer" })).toBe(false);
});

it("includes another market, and another text to replace", () => {
  const inBerlin = { ...base, market: "DE-BE", instead_of: 1 };
  expect(saysTheSame(base, { ...base, market: "DE" })).toBe(false);
  expect(saysTheSame(inBerlin, { ...inBerlin, instead_of: 2 })).toBe(false);
  // A choice about another field keeps both.
  const theirs = { ...inBerlin, summary: "Other words" };
  expect(merged(inBerlin, theirs, new Map([["summary", "mine"]]))).toEqual(inBerlin);
});

it("prefers the side that changed a field, and mine if both did", () => {
  const ours = { ...base, mandatory: false, summary: "Clearer words" };
  const theirs = { ...base, display_order: 3, summary: "Other words" };
  expect(differences(base, ours, theirs)).toEqual([
    { field: "mandatory", mine: false, theirs: true, preferred: "mine" },
    { field: "display_order", mine: undefined, theirs: 3, preferred: "theirs" },
    { field: "summary", mine: "Clearer words", theirs: "Other words", preferred: "mine" },
  ]);
});

it("includes an added and a removed language, and another default", () => {
  const ours = { ...base, variants: [{ locale: "de", title: "Handbuch" }] };
  const theirs = { ...base, variants: [...base.variants, { locale: "ar", title: "دليل" }] };
  expect(differences(base, ours, theirs)).toEqual([
    { field: "default_language", mine: "de", theirs: "en", preferred: "mine" },
    { field: "title:en", mine: undefined, theirs: "Handbook", preferred: "mine" },
    { field: "title:ar", mine: undefined, theirs: "دليل", preferred: "theirs" },
  ]);
});

it("combines the chosen sides with the server's documents", () => {
  const document = { sha256: "ab", bytes: 1, pages: 1 };
  const theirs = {
    ...base,
    summary: "Other words",
    grace_until: "2027-01-01T00:00:00Z",
    variants: [{ locale: "en", title: "Manual", document }],
  };
  const ours = {
    ...base,
    summary: "Clearer words",
    variants: [
      { locale: "de", title: "Handbuch" },
      { locale: "en", title: "Handbook" },
    ],
  };
  const all = differences(base, ours, theirs);
  expect(merged(ours, theirs, new Map(all.map(({ field }) => [field, "theirs"])))).toEqual(theirs);
  expect(merged(ours, theirs, new Map(all.map(({ field }) => [field, "mine"])))).toEqual({
    ...ours,
    variants: [
      { locale: "de", title: "Handbuch" },
      { locale: "en", title: "Handbook", document },
    ],
  });
});

it("uses each language's summary from the side that changed it", () => {
  const of = (de?: string, ar?: string): DraftBody => ({
    ...base,
    variants: [
      { locale: "de", title: "Handbuch", ...(de && { summary: de }) },
      { locale: "ar", title: "دليل", ...(ar && { summary: ar }) },
    ],
  });
  const [ours, theirs] = [of("Licht wird geprüft."), of(undefined, "تُفحص الأضواء.")];
  const all = differences(of(), ours, theirs);
  expect(all.map(({ field, preferred }) => [field, preferred])).toEqual([
    ["summary:de", "mine"],
    ["summary:ar", "theirs"],
  ]);
  const chosen = new Map(all.map(({ field, preferred }) => [field, preferred]));
  expect(merged(ours, theirs, chosen)).toEqual(of("Licht wird geprüft.", "تُفحص الأضواء."));
});
