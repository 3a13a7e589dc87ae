import type { PublishedTerm } from "../terms-query";
import type { Coverage } from "./coverage-query";

/** The lists of riders who have not accepted, in order. */
export const lists = ["pending", "declined", "withdrawn"] as const;
export type List = (typeof lists)[number];

/** Returns whether the version had not taken effect at the counted time. */
export const isScheduled = (
  { effective_from }: Pick<PublishedTerm, "effective_from">,
  { as_of, counted_at }: Pick<Coverage, "as_of" | "counted_at">,
): boolean => Date.parse(effective_from) > Date.parse(as_of ?? counted_at);

/** Returns whether the version is not in effect yet and no rider has decided on it. */
export const isAwaited = (
  term: Pick<PublishedTerm, "effective_from">,
  coverage: Pick<Coverage, "as_of" | "counted_at" | "riders" | "riders_pending">,
): boolean => isScheduled(term, coverage) && coverage.riders === coverage.riders_pending;

/** Returns whether riders are asked to accept the version, now or later. */
export const isInUse = ({ status }: Pick<PublishedTerm, "status">): boolean =>
  status === "active" || status === "scheduled";

/**
 * Returns the lists to offer. Only a required version in effect has pending riders: riders
 * who declined or withdrew have decided, and an optional document needs no decision.
 */
export function listsOf(
  term: Pick<PublishedTerm, "effective_from" | "status" | "mandatory">,
  coverage: Pick<Coverage, "as_of" | "counted_at">,
): readonly List[] {
  const hasPending = term.mandatory && isInUse(term) && !isScheduled(term, coverage);
  return lists.filter((list) => list !== "pending" || hasPending);
}
