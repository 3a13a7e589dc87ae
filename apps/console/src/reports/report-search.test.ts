import { expect, it } from "vitest";
import { periodOf, readReportSearch } from "./report-search";

const NOW = new Date("2026-11-27T12:00:00Z");

it.each([
  [{}, "2026-06", "2026-11"],
  [{ to: "2026-02" }, "2025-09", "2026-02"],
  [{ from: "2026-01" }, "2026-01", "2026-11"],
  [{ from: "2027-01" }, "2027-01", "2027-01"],
  [{ from: "2026-03", to: "2026-01" }, "2026-03", "2026-03"],
  [{ from: "2010-01", to: "2026-01" }, "2010-01", "2019-12"],
])("reads the period of %o", (search, from, to) => {
  expect(periodOf(search, NOW)).toEqual({ from, to });
});

it("ignores what is no month or market", () => {
  const search = { from: "2026-13", to: "2026-1", market: "everything" };
  expect(readReportSearch(search)).toEqual({});
  expect(readReportSearch({ from: "2026-12", market: "DE-BE" })).toEqual({
    from: "2026-12",
    market: "DE-BE",
  });
});
