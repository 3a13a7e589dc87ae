import type { Schema } from "../api";

/** The type of the user who decides: `RIDER` with a user id, `APPLICANT` without. */
export type UserType = Schema<"UserType">;

/** The latest decision of a user on one term. */
export type Consent = Schema<"ConsentBody">;

/** The latest decisions of a user, one for each term. */
export interface ConsentList extends Omit<Schema<"ConsentList">, "recorded_at" | "receipt"> {}

/** Returns the `user_type` of a submission: `RIDER` with a user id, otherwise `APPLICANT`. */
export function submittedUserType(userId: string | undefined): UserType {
  return userId ? "RIDER" : "APPLICANT";
}

/**
 * Returns the placeholder for consents that are not loaded. Its `user_type` is the opposite of the one in
 * a submission. The specification states this difference and requires both. Never submit this label.
 */
export function defaultConsentList(userId: string | undefined): ConsentList {
  return { user_id: userId ?? "", user_type: userId ? "APPLICANT" : "RIDER", consents: [] };
}

/**
 * Returns the consents of a response.
 *
 * @throws TypeError if the response is not a list of consents, such as a proxy's sign-in page with status 200.
 * Otherwise it would count as "no earlier consents".
 */
export function asConsents(response: unknown): readonly Consent[] {
  const consents = (response as Partial<ConsentList> | undefined)?.consents;
  if (!Array.isArray(consents)) throw new TypeError("The response is not a list of consents");
  return consents;
}
