// @vitest-environment happy-dom
import type { PendingSubmission, TermsQuery } from "@musette/client/terms";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeIndexedDb } from "../../../client/src/terms/testing/indexed-db";
import { click, until } from "../testing/mount";
import { settleDeferred, stage, term } from "./consent-stage";
import { httpError } from "./model/service";
import { TermsConsent } from "./terms-consent";

let rows: Map<string, unknown>;

beforeEach(() => {
  sessionStorage.clear();
  const fake = fakeIndexedDb();
  rows = fake.rows;
  vi.stubGlobal("indexedDB", fake.indexedDB);
});

const byMarket = async ({ market }: TermsQuery) => [term(market === "DE-BE" ? 1 : 2)];

it("shows and submits the terms of the market", async () => {
  const { page, box, accept, submitConsents } = await stage({
    market: "DE-BE",
    fetchTerms: byMarket,
  });
  expect(page.querySelector("[data-term='1']")).not.toBeNull();
  await click(box("all"));
  await click(accept());
  await settleDeferred();
  expect(submitConsents.mock.calls[0]?.[0]).toMatchObject({
    user_type: "APPLICANT",
    market: "DE-BE",
  });
});

it("shows no terms, ticks and pending submissions of another market", async () => {
  const screen = await stage({ market: "DE-BE", fetchTerms: byMarket });
  screen.submitConsents.mockRejectedValue(new TypeError("Failed to fetch"));
  await click(screen.box("all"));
  await click(screen.accept());
  await settleDeferred();
  expect([...rows.values()]).toMatchObject([{ market: "DE-BE" }] as Partial<PendingSubmission>[]);
  await screen.mounted.leave();
  const other = await stage({ market: "UY.montevideo", fetchTerms: byMarket });
  expect(other.submitConsents).not.toHaveBeenCalled();
  expect(other.page.querySelector("[data-term='2']")).not.toBeNull();
  expect(other.page.querySelector("[data-term='1']")).toBeNull();
  expect(
    [...other.page.querySelectorAll<HTMLInputElement>("input")].some((input) => input.checked),
  ).toBe(false);
});

it("ignores the market for a rider", async () => {
  const queries: TermsQuery[] = [];
  const fetchTerms = async (query: TermsQuery) => {
    queries.push(query);
    return [term(1)];
  };
  const consents = { user_id: "r1", user_type: "RIDER" as const, consents: [] };
  const { box, accept, submitConsents } = await stage({
    userId: "r1",
    market: "DE-BE",
    fetchTerms,
    fetchConsents: async () => consents,
  });
  await click(box("all"));
  await click(accept());
  await settleDeferred();
  expect(queries[0]).toEqual({ userId: "r1", termsType: "FREELANCER" });
  expect(submitConsents.mock.calls[0]?.[0]).not.toHaveProperty("market");
});

it("shows a message without a retry button for an unknown market", async () => {
  const { page } = await stage({
    market: "XX",
    fetchTerms: async () => Promise.reject(httpError(400, "unknown_market")),
  });
  await until(() => page.querySelector("[role=alert]") !== null);
  expect(page.querySelector("[role=alert]")?.textContent).toContain("is not known here");
  expect(page.querySelector("[role=alert] button")).toBeNull();
});

it("rejects a market that is not a string at compile time", () => {
  // @ts-expect-error: a market is not a number
  <TermsConsent market={49} />;
});
