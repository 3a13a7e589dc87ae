export type UserType = "RIDER" | "APPLICANT";

export interface Consent {
  readonly terms_and_conditions_id: number;
  readonly accepted: boolean;
  readonly consented_at: string;
  /** A minor term counts by the decision about this one, which it replaces. */
  readonly inherited_from?: number;
}

export interface ConsentList {
  readonly user_id: string;
  readonly user_type: UserType;
  readonly consents: readonly Consent[];
}

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
