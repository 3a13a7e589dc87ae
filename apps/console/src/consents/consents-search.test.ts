import { expect, it } from "vitest";
import { consentsParameters, readConsentsSearch } from "./consents-search";

it("reads any address, and drops invalid parameters", () => {
  const search = {
    term: 3,
    type: "MARKETING",
    user: 4711,
    decision: "withdrawn",
    since: "2026-11-20",
    until: "soon",
  };
  expect(readConsentsSearch(search)).toEqual({
    term: 3,
    type: "MARKETING",
    user: "4711",
    decision: "withdrawn",
    since: "2026-11-20",
  });
  const nonsense = { term: "x", type: "lower", user: " ", decision: "maybe" };
  expect(readConsentsSearch(nonsense)).toEqual({});
  expect(readConsentsSearch({ term: -3 })).toEqual({});
});

it("requests one of three decisions, and whole days", () => {
  const parameters = consentsParameters({ decision: "declined", term: 0, until: "2026-12-31" });
  expect(parameters.decision).toBe("declined");
  expect(parameters.term).toBe(0);
  expect(parameters.until).toBe(new Date(2027, 0, 1).toISOString());
  expect("since" in parameters).toBe(false);
});
