import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { session } from "../session/session";

export type Restriction = Schema<"RestrictionBody">;

/** Calendar months after the end in which a rider can ask for a review. */
const REVIEW_MONTHS = 6;

const urlOf = (userId: string): string =>
  `/api/rooster/v3/riders/${encodeURIComponent(userId)}/restrictions`;

/** Fetches the rider's restrictions, newest first. A rider has few, so one page is enough. */
export async function fetchRestrictions(userId: string): Promise<readonly Restriction[]> {
  const page = await requestJson<Schema<"RestrictionPage">>(
    session.fetch,
    `${urlOf(userId)}?limit=200`,
  );
  return page.items;
}

/** Asks for a review. A retry sends the same key, so that it is recorded once. */
export function requestReview(
  userId: string,
  id: string,
  message: string,
  key: string,
): Promise<Restriction> {
  return requestJson<Restriction>(session.fetch, `${urlOf(userId)}/${id}/review`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify({ message }),
  });
}

export function fetchReceipts(userId: string, id: string): Promise<Schema<"ReceiptList">> {
  return requestJson(session.fetch, `${urlOf(userId)}/${id}/receipts`);
}

/** Whether a restriction limits the rider now or will. The others have ended. */
export function isCurrent({ status, ends_at: end }: Restriction, now: Date): boolean {
  return status === "IMPOSED" && (end === null || now < new Date(end));
}

export function isUpcoming({ starts_at: start }: Restriction, now: Date): boolean {
  return start !== null && now < new Date(start);
}

/** Whether the rider can ask for a review: once, until six months after the end. */
export function canRequestReview(restriction: Restriction, now: Date): boolean {
  const { review, ended_at, ends_at } = restriction;
  if (review !== null) return false;
  if (isCurrent(restriction, now)) return true;
  const end = ended_at ?? ends_at;
  if (end === null) return true;
  const until = new Date(end);
  until.setUTCMonth(until.getUTCMonth() + REVIEW_MONTHS);
  return now <= until;
}
