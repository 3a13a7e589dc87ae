import type { Consent, ConsentList } from "./consents";
import {
  type ConsentReads,
  caller,
  createConsentReads,
  ofUser,
  type TermsClientOptions,
  type TermsQuery,
} from "./reads";
import type { Submission, SubmissionAnswer } from "./submission";
import { askedTypes, type Term } from "./term";

export interface SubmitOptions {
  readonly idempotencyKey: string;
}

export interface PastConsent extends Consent {
  readonly seq: number;
  readonly recorded_at: string;
  readonly receipt_id: string;
  readonly term: Term;
}

export interface ConsentHistory extends Pick<ConsentList, "user_id" | "user_type"> {
  readonly history: readonly PastConsent[];
}

/** The three calls that a consent screen needs. */
export interface ConsentCalls extends ConsentReads {
  submitConsents(submission: Submission, options: SubmitOptions): Promise<SubmissionAnswer>;
}

/** A receipt opened by its number: what was recorded under it, and where its person stands today. */
export interface OpenedReceipt extends SubmissionAnswer {
  /** The texts that were decided on, each in the language that was shown. */
  readonly terms: readonly Term[];
  /** The latest decision of the same person on each term. */
  readonly standing: readonly Consent[];
}

/** What a rider must still accept. */
export interface Outstanding {
  readonly user_id: string;
  readonly may_work: boolean;
  readonly outstanding: readonly Term[];
}

export interface TermsClient extends ConsentCalls {
  /** Newest first; `before` is the `seq` of the oldest one that is already there. */
  fetchHistory(
    userId: string,
    page?: { readonly limit?: number; readonly before?: number },
  ): Promise<ConsentHistory>;
  fetchOutstanding(query: TermsQuery & { readonly userId: string }): Promise<Outstanding>;
  /** The number travels in the body: whoever has it can withdraw and claim. */
  lookUpReceipt(id: string): Promise<OpenedReceipt>;
  /** Joins an applicant's submission to the account of the session. */
  claimReceipt(id: string): Promise<ConsentList>;
}

export function createConsentCalls(options: TermsClientOptions = {}): ConsentCalls {
  const call = caller(options);
  return {
    ...createConsentReads(options),
    submitConsents: (submission, { idempotencyKey }) =>
      call("/terms/consents", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: JSON.stringify(submission),
      }),
  };
}

export function createTermsClient(options: TermsClientOptions = {}): TermsClient {
  const call = caller(options);
  const withReceipt = <T>(path: string, id: string) =>
    call<T>(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ receipt: { id } }),
    });
  return {
    ...createConsentCalls(options),
    fetchHistory: (userId, { limit = 100, before } = {}) => {
      const older = before === undefined ? "" : `&before=${before}`;
      return call(ofUser(userId, `history?limit=${limit}${older}`));
    },
    fetchOutstanding: ({ userId, termsType }) =>
      call(ofUser(userId, `outstanding?types=${askedTypes(termsType)}`)),
    lookUpReceipt: (id) => withReceipt("/terms/consents/receipts", id),
    claimReceipt: (id) => withReceipt("/terms/consents/claims", id),
  };
}
