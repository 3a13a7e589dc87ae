import { expect, it } from "vitest";
import { auditParameters, readAuditSearch } from "./audit-search";

it("reads any address, and drops invalid parameters", () => {
  expect(
    readAuditSearch({ event: "signed_in", user: 4711, since: "2026-11-21", until: "tomorrow" }),
  ).toEqual({ event: "signed_in", user: "4711", since: "2026-11-21" });
  expect(readAuditSearch({ event: "", user: "  ", since: {} })).toEqual({});
});

it("searches for the typed text, even if it is a number", () => {
  expect(auditParameters(readAuditSearch({ q: 2026 }))).toEqual({ q: "2026" });
  expect(readAuditSearch({ q: " " })).toEqual({});
});

it("requests whole days in this time zone, including the last one", () => {
  const parameters = auditParameters({ since: "2026-11-20", until: "2026-11-21" });
  expect(parameters.since).toBe(new Date(2026, 10, 20).toISOString());
  expect(parameters.until).toBe(new Date(2026, 10, 22).toISOString());
});

it("requests the last day of a month, which is followed by the next month", () => {
  expect(auditParameters({ until: "2026-12-31" }).until).toBe(new Date(2027, 0, 1).toISOString());
});
