import { expect, it } from "vitest";
import { holderOf, needsRenewal, withoutOthers } from "./assignment";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const assignment = (evaluation_id: string, user_id: string, until: string) => ({
  evaluation_id,
  user_id,
  until,
});
const ALL = [
  assignment("a", "me", "2026-11-20T12:05:00.000Z"),
  assignment("b", "other", "2026-11-20T12:05:00.000Z"),
  assignment("c", "other", "2026-11-20T12:00:00.000Z"),
];

it("says who works on a discussion until the assignment ends", () => {
  const kinds = ["a", "b", "c", "d"].map((id) => holderOf(ALL, id, "me", NOW).kind);
  expect(kinds).toEqual(["me", "other", "none", "none"]);
  expect(holderOf(ALL, "a", undefined, NOW).kind).toBe("other");
});

it("renews only this person's assignment, before it ends", () => {
  expect(needsRenewal(holderOf(ALL, "a", "me", NOW), NOW)).toBe(true);
  expect(needsRenewal(holderOf(ALL, "b", "me", NOW), NOW)).toBe(false);
  const early = new Date("2026-11-20T11:54:59.000Z");
  expect(needsRenewal(holderOf(ALL, "a", "me", early), early)).toBe(false);
});

it("leaves out what other reviewers work on", () => {
  const list = ["a", "b", "c", "d"].map((id) => ({ id }));
  expect(withoutOthers(list, ALL, "me", NOW).map(({ id }) => id)).toEqual(["a", "c", "d"]);
});
