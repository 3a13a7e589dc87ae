import type { Schema } from "../api";
import type { ConsentList } from "./consents";
import { resolveContent } from "./document-links";
import { explainSetUp } from "./market";
import {
  type ConsentReads,
  caller,
  createConsentReads,
  ofUser,
  type TermsClientOptions,
  type TermsQuery,
} from "./reads";
import type { Submission, SubmissionAnswer } from "./submission";
import { askedTypes } from "./term";

/** Options of a submission. */
export interface SubmitOptions {
  /** Idempotency key. Every attempt to send one submission has the same one, so that it is recorded once. */
  readonly idempotencyKey: string;
}

/** A decision of the past, with the term that it was about. */
export type PastConsent = Schema<"HistoryEntryBody">;

/** The decisions of a person, newest first. */
export type ConsentHistory = Schema<"HistoryBody">;

/** The three calls that a consent screen needs. */
export interface ConsentCalls extends ConsentReads {
  submitConsents(submission: Submission, options: SubmitOptions): Promise<SubmissionAnswer>;
}

/** A receipt opened by its id: what was recorded under it, and where its person stands today. */
export type OpenedReceipt = Schema<"OpenedReceipt">;

/** What a rider must still accept. */
export type Outstanding = Schema<"OutstandingBody">;

/** All calls of the terms API. Each rejects with an `HttpError` for every status but success. */
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

/**
 * Makes the three calls of a consent screen.
 *
 * Each rejects with an `HttpError` for every status but success.
 */
export function createConsentCalls(options: TermsClientOptions = {}): ConsentCalls {
  const call = caller(options);
  return {
    ...createConsentReads(options),
    submitConsents: (submission, { idempotencyKey }) =>
      call<SubmissionAnswer>("/terms/consents", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: JSON.stringify(submission),
      }).catch(explainSetUp(submission.market ?? undefined)),
  };
}

/** Creates a client of the terms API. */
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
    async fetchHistory(userId, { limit = 100, before } = {}) {
      const older = before === undefined ? "" : `&before=${before}`;
      const path = ofUser(userId, `history?limit=${limit}${older}`);
      const page = await call<ConsentHistory>(path);
      const resolved = page.history.map((past) => ({
        ...past,
        term: resolveContent(past.term, options.baseUrl),
      }));
      return { ...page, history: resolved };
    },
    fetchOutstanding: ({ userId, termsType }) =>
      call(ofUser(userId, `outstanding?types=${askedTypes(termsType)}`)),
    async lookUpReceipt(id) {
      const opened = await withReceipt<OpenedReceipt>("/terms/consents/receipts", id);
      const terms = opened.terms.map((term) => resolveContent(term, options.baseUrl));
      return { ...opened, terms };
    },
    claimReceipt: (id) => withReceipt("/terms/consents/claims", id),
  };
}
