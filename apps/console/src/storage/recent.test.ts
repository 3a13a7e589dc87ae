import { expect, it } from "vitest";
import { remembered } from "./recent";

const visit = (href: string, title = href) => ({ href, title });

it("puts the newest visit first, and lists each page once", () => {
  const before = [visit("/flags/a?env=eu"), visit("/people/p-1")];
  expect(remembered(before, visit("/people/p-1?tab=x", "p-1"))).toEqual([
    visit("/people/p-1?tab=x", "p-1"),
    visit("/flags/a?env=eu"),
  ]);
});

it("keeps a few visits", () => {
  const many = Array.from({ length: 8 }, (_, at) => visit(`/people/p-${at}`));
  const visits = remembered(many, visit("/flags/a"));
  expect(visits).toHaveLength(8);
  expect(visits.map(({ href }) => href)).not.toContain("/people/p-7");
});

it("lists a person once, whichever of their tabs was open", () => {
  const before = [visit("/people/p-1/consents", "Ottilie"), visit("/people/p-2", "Ottilie")];
  expect(remembered(before, visit("/people/p-1", "Ottilie"))).toEqual([
    visit("/people/p-1", "Ottilie"),
    visit("/people/p-2", "Ottilie"),
  ]);
});
