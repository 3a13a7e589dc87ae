import { expect, it } from "vitest";
import type { Candidate } from "./excusals-queries";
import { isPeriod, previewParameters, readExcuseSearch } from "./excuse-search";
import { obstacleOf, reasonOf, ridersOf, selectedOf } from "./selection";

const one = (id: string, status: Candidate["status"], code?: string) =>
  ({ id, status, user_id: `rider-${id[0]}`, ...(code && { code }) }) as Candidate;

it.each([
  [one("a", "NO_SHOW"), undefined],
  [one("a", "NO_SHOW", "evaluation_final"), "final"],
  [one("a", "IN_DISCUSSION", "transition_not_allowed"), "discussion"],
  [one("a", "EVALUATED", "transition_not_allowed"), "evaluated"],
  [one("a", "PENDING", "reasons_required"), "other"],
])("says why an evaluation cannot be excused", (candidate, obstacle) => {
  expect(obstacleOf(candidate)).toBe(obstacle);
});

it("selects all that can be excused, and counts each rider once", () => {
  const all = [
    one("a1", "PENDING"),
    one("a2", "NO_SHOW"),
    one("b1", "NO_SHOW"),
    one("c1", "EVALUATED", "transition_not_allowed"),
  ];
  expect(selectedOf(all, new Set()).map(({ id }) => id)).toEqual(["a1", "a2", "b1"]);
  expect(ridersOf(selectedOf(all, new Set()))).toBe(2);
  expect(selectedOf(all, new Set(["b1", "c1"])).map(({ id }) => id)).toEqual(["a1", "a2"]);
});

it("needs a text with its language", () => {
  expect(reasonOf([{ locale: "en", text: "  " }])).toBeUndefined();
  expect(reasonOf([{ locale: "", text: "Storm" }])).toBeUndefined();
  const texts = [
    { locale: " de ", text: " Sturm " },
    { locale: "", text: "" },
  ];
  expect(reasonOf(texts)).toEqual({ de: "Sturm" });
});

it("needs a period of at most seven days", () => {
  const period = (from: string, until: string) => isPeriod(readExcuseSearch({ from, until }));
  expect(period("2026-11-20T17:00:00.000Z", "2026-11-27T17:00:00.000Z")).toBe(true);
  expect(period("2026-11-20T17:00:00.000Z", "2026-11-27T17:00:01.000Z")).toBe(false);
  expect(period("2026-11-20T17:00:00.000Z", "2026-11-20T17:00:00.000Z")).toBe(false);
  expect(period("yesterday", "2026-11-20T17:00:00.000Z")).toBe(false);
  const search = readExcuseSearch({ from: "2026-11-20T17:00:00.000Z", user: "r1" });
  expect(previewParameters(search)).toEqual({
    starts_from: "2026-11-20T17:00:00.000Z",
    starts_until: "",
    user_id: "r1",
  });
});
