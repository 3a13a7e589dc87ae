import { expect, it } from "vitest";
import type { PublishedTerm } from "../terms-query";
import { versionsOf } from "./versions";

const term = (id: number, links: Pick<PublishedTerm, "replaces" | "replaced_by">) =>
  ({ id, ...links }) as PublishedTerm;
const first = term(1, { replaced_by: 4 });
const second = term(4, { replaces: 1, replaced_by: 9 });
const third = term(9, { replaces: 4 });
const other = term(5, {});

it("finds all versions from any version, newest first", () => {
  const all = [first, second, third, other];
  for (const from of [first, second, third]) {
    expect(versionsOf(from, all).map(({ id }) => id)).toEqual([9, 4, 1]);
  }
  expect(versionsOf(other, all)).toEqual([other]);
});

it("shows a cancelled version with its document", () => {
  const cancelled = { ...term(7, { replaces: 4 }), cancelled_at: "2026-11-21T09:00:00.000Z" };
  const all = [first, second, third, other, cancelled];
  for (const from of [first, third, cancelled]) {
    expect(versionsOf(from, all).map(({ id }) => id)).toEqual([9, 7, 4, 1]);
  }
  expect(versionsOf(other, all)).toEqual([other]);
});

it("shows the known versions while others are loading", () => {
  expect(versionsOf(second, [])).toEqual([second]);
});
