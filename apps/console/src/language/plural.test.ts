import { expect, it } from "vitest";
import { plural } from "./plural";

it("chooses the plural form for the number in its language", () => {
  const errors = plural("en", { one: "# error", other: "# errors" });
  expect([0, 1, 2, 1234].map(errors)).toEqual(["0 errors", "1 error", "2 errors", "1,234 errors"]);
  const flags = plural("ar", { one: "علم واحد", two: "علمان", few: "# أعلام", other: "# علمًا" });
  expect([1, 2, 5, 11].map(flags).map((text) => text.replace(/[\d٠-٩]+/, "#"))).toEqual([
    "علم واحد",
    "علمان",
    "# أعلام",
    "# علمًا",
  ]);
});
