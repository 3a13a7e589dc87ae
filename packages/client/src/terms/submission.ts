import { type Agreement, type ConsentMethod, isTicked } from "./agreement";
import { type ConsentList, submittedUserType, type UserType } from "./consents";
import type { Term } from "./term";

export interface SubmittedConsent {
  readonly accepted: boolean;
  readonly terms_and_conditions_id: number;
  readonly consented_at: string;
  readonly sha256?: string;
  readonly method?: ConsentMethod;
  readonly opened?: boolean;
  readonly last_page?: number;
}

export interface Submission {
  readonly user_id: string;
  readonly user_type: UserType;
  readonly consents: readonly SubmittedConsent[];
  readonly locale?: string;
  readonly app?: string;
  /** Of an applicant's earlier submission, when something in it is withdrawn. */
  readonly receipt_id?: string;
}

export interface Receipt {
  readonly id: string;
}

export interface SubmissionAnswer extends ConsentList {
  readonly recorded_at: string;
  readonly receipt: Receipt;
}

/** What the person saw of one document. */
export interface Reading {
  readonly opened: boolean;
  readonly lastPage?: number;
}

export interface SubmissionInput {
  readonly userId: string | undefined;
  readonly terms: readonly Term[];
  readonly agreement: Agreement;
  readonly readings: ReadonlyMap<number, Reading>;
  readonly consentedAt: Date;
  readonly locale?: string | undefined;
  readonly app?: string | undefined;
}

/** One entry per term, ticked or not, with what the device can say about how it came about. */
export function buildSubmission(input: SubmissionInput): Submission {
  const consented_at = input.consentedAt.toISOString();
  return {
    user_id: input.userId ?? "",
    user_type: submittedUserType(input.userId),
    consents: input.terms.map((term) => {
      const choice = input.agreement.choices.get(term.id);
      const reading = input.readings.get(term.id);
      return {
        accepted: isTicked(input.agreement, term.id),
        terms_and_conditions_id: term.id,
        consented_at,
        ...(term.sha256 && { sha256: term.sha256 }),
        ...(choice && { method: choice.method }),
        opened: reading?.opened ?? false,
        ...(reading?.lastPage && { last_page: Math.min(reading.lastPage, 10_000) }),
      };
    }),
    ...(input.locale && { locale: input.locale.slice(0, 35) }),
    ...(input.app && { app: input.app.slice(0, 200) }),
  };
}

/** 128 random bits or more, also where a page is not served securely and lacks `randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
