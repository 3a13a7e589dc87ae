import { MARKET_CODE } from "../markets/code";
import { type Address, address, count, oneOf, text } from "../routes/address";

export const STATUSES = ["draft", "running", "paused", "finished", "cancelled"] as const;
export const PERSON_STATUSES = [
  "waiting",
  "served",
  "opened",
  "decided",
  "bounced",
  "failed",
  "skipped",
] as const;

/** The filters of the list. They are in the address, so that it can be bookmarked and shared. */
export const readCampaignsSearch = address({
  status: oneOf(...STATUSES),
  term: count,
  market: text(MARKET_CODE),
});
export type CampaignsSearch = Address<typeof readCampaignsSearch>;

/** The document and the market of a new campaign, for links from other pages. */
export const readNewCampaignSearch = address({ term: count, market: text(MARKET_CODE) });

/** The filter of the people of a campaign. */
export const readCampaignSearch = address({ people: oneOf(...PERSON_STATUSES) });
