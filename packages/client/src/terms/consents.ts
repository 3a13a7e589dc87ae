import type { Schema } from "../api";

/** Who decides: `RIDER` with a user id, `APPLICANT` without. */
export type UserType = Schema<"UserType">;

/** The latest decision of a person on one term. */
export type Consent = Schema<"ConsentBody">;

/** The latest decisions of a person, one for each term. */
export interface ConsentList extends Omit<Schema<"ConsentList">, "recorded_at" | "receipt"> {}

/** The label of what is submitted: with a user id it comes from a rider. */
export function submittedUserType(userId: string | undefined): UserType {
  return userId ? "RIDER" : "APPLICANT";
}

/**
 * What stands for the consents when none are loaded. Its labelling is the opposite of the submitted
 * one: the specification has it so, says so, and wants both kept. Never submit this label.
 */
export function defaultConsentList(userId: string | undefined): ConsentList {
  return { user_id: userId ?? "", user_type: userId ? "APPLICANT" : "RIDER", consents: [] };
}

/** A proxy's sign-in page with status 200 must not read as "nothing agreed to before". */
export function asConsents(answer: unknown): readonly Consent[] {
  const consents = (answer as Partial<ConsentList> | undefined)?.consents;
  if (!Array.isArray(consents)) throw new TypeError("The consents are not a list");
  return consents;
}
