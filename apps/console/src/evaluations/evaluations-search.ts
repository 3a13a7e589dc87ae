import { MARKET_CODE } from "../markets/code";
import { type Address, address, oneOf, text } from "../routes/address";
import type { Status } from "./model";

export const STATUSES = [
  "PENDING",
  "EVALUATED",
  "NO_SHOW",
  "IN_DISCUSSION",
  "ACCEPTED",
  "REJECTED",
] as const satisfies readonly Status[];

/** The filters of the list. They are in the address, so that it can be bookmarked and shared. */
export const readEvaluationsSearch = address({
  /** Absent: those in discussion, for people who answer them; all for others. */
  status: oneOf(...STATUSES, "ALL"),
  due: oneOf("overdue", "soon"),
  market: text(MARKET_CODE),
  user: text(),
  reference: text(),
});

export type EvaluationsSearch = Address<typeof readEvaluationsSearch>;

/** An answer that is due within this time is due soon. */
export const SOON_MS = 4 * 86_400_000;

/** Returns the query parameters of the request. */
export function evaluationsParameters(
  { status, due, market, user, reference }: EvaluationsSearch,
  isReviewer: boolean,
  now: Date,
) {
  const chosen = status ?? (isReviewer || due ? "IN_DISCUSSION" : "ALL");
  const dueBefore = new Date(now.getTime() + (due === "soon" ? SOON_MS : 0));
  return {
    ...(chosen !== "ALL" && { status: chosen }),
    ...(due && { due_before: dueBefore.toISOString() }),
    ...(market && { market }),
    ...(user && { user_id: user }),
    ...(reference && { subject_reference: reference }),
  };
}
