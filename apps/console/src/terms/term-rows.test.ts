import { expect, it } from "vitest";
import { emptyDraft } from "./draft/draft";
import { groupsOf, rowOfDraft, rowOfTerm } from "./term-rows";
import type { PublishedTerm } from "./terms-query";

const term = (id: number, more: Partial<PublishedTerm>): PublishedTerm => ({
  id,
  type: "FREELANCER",
  kind: "consent",
  status: "active",
  version: 1,
  label: null,
  mandatory: true,
  display_order: id,
  published_at: "2026-01-01T00:00:00Z",
  effective_from: `2026-01-0${id}T00:00:00Z`,
  material: true,
  market: null,
  instead_of: null,
  variants: [
    { locale: "en", title: `Term ${id}`, sha256: "" },
    { locale: "ar", title: `شرط ${id}`, sha256: "" },
  ],
  ...more,
});
const draft = {
  ...emptyDraft,
  id: "d",
  revision: 1,
  updated_at: "2026-02-01T00:00:00Z",
  sha256: "",
  type: "FREELANCER",
};
const rows = [
  rowOfTerm(term(1, { status: "superseded", display_order: 1 }), "en"),
  rowOfTerm(term(2, { display_order: 2 }), "en"),
  rowOfTerm(term(3, { display_order: 1 }), "en"),
  rowOfTerm(term(4, { type: "MARKETING" }), "en"),
  rowOfDraft(draft, "en"),
];
const keys = (sort: "order" | "newest" | "title") =>
  groupsOf(rows, sort, "en").map((group) => group.rows.map(({ key }) => key));

it("groups by type, in the riders' order, with superseded versions apart", () => {
  const [freelancer] = groupsOf(rows, "order", "en");
  expect(freelancer?.former.map(({ key }) => key)).toEqual(["term-1"]);
  expect(keys("order")).toEqual([["term-3", "term-2", "draft-d"], ["term-4"]]);
});

it("sorts by age and by title", () => {
  expect(keys("newest")[0]).toEqual(["draft-d", "term-3", "term-2"]);
  expect(keys("title")[0]).toEqual(["draft-d", "term-2", "term-3"]);
});

it("shows the title in the reader's language, or in the default one", () => {
  expect(rowOfTerm(term(1, {}), "ar-EG").title).toBe("شرط 1");
  expect(rowOfTerm(term(1, {}), "fr").title).toBe("Term 1");
  expect(rowOfDraft(draft, "fr").title).toBe("");
});
