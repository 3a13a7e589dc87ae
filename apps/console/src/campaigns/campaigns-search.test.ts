import { expect, it } from "vitest";
import { readCampaignSearch, readCampaignsSearch } from "./campaigns-search";

it("keeps valid filters, and drops all others", () => {
  expect(readCampaignsSearch({ status: "paused", term: "7", market: "DE", more: 1 })).toEqual({
    status: "paused",
    term: 7,
    market: "DE",
  });
  expect(readCampaignsSearch({ status: "sent", term: "x", market: "?" })).toEqual({});
  expect(readCampaignSearch({ people: "bounced" })).toEqual({ people: "bounced" });
  expect(readCampaignSearch({ people: "lost" })).toEqual({});
});
