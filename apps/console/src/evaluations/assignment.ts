import type { Assignment } from "./model";

/** Who works on a discussion, from this person's view. */
export type Holder =
  | { readonly kind: "none" }
  | { readonly kind: "me" | "other"; readonly assignment: Assignment };

/** Renews an assignment that ends within this time. */
const RENEW_BEFORE_MS = 10 * 60_000;

/** Returns who works on the discussion. An assignment that has ended does not count. */
export function holderOf(
  assignments: readonly Assignment[],
  evaluationId: string,
  me: string | undefined,
  now: Date,
): Holder {
  const assignment = assignments.find((one) => one.evaluation_id === evaluationId);
  if (!assignment || Date.parse(assignment.until) <= now.getTime()) return { kind: "none" };
  return { kind: assignment.user_id === me ? "me" : "other", assignment };
}

/** Whether this person's assignment must be renewed now, so that it does not end meanwhile. */
export const needsRenewal = (holder: Holder, now: Date): boolean =>
  holder.kind === "me" && Date.parse(holder.assignment.until) - now.getTime() < RENEW_BEFORE_MS;

/** Returns the list without the discussions that other reviewers work on. */
export function withoutOthers<T extends { readonly id: string }>(
  list: readonly T[],
  assignments: readonly Assignment[],
  me: string | undefined,
  now: Date,
): readonly T[] {
  return list.filter(({ id }) => holderOf(assignments, id, me, now).kind !== "other");
}
