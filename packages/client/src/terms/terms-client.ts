import type { Schema } from "../api";
import type { ConsentList } from "./consents";
import { resolveContent } from "./document-links";
import { logSetupError } from "./market";
import {
  type ConsentReads,
  createCall,
  createConsentReads,
  type TermsClientOptions,
  type TermsQuery,
  userPath,
} from "./reads";
import type { Submission, SubmissionAnswer } from "./submission";
import { askedTypes } from "./term";

/** Options of a submission. */
export interface SubmitOptions {
  /** The idempotency key: the same for all attempts to send one submission, so that it is recorded once. */
  readonly idempotencyKey: string;
}

/** An entry of the history: a decision and its term. */
export type PastConsent = Schema<"HistoryEntryBody">;

/** The decisions of a user, newest first. */
export type ConsentHistory = Schema<"HistoryBody">;

/** The three calls that a consent screen needs. */
export interface ConsentCalls extends ConsentReads {
  /** Submits decisions. A retry with the same `idempotencyKey` returns the first response. */
  submitConsents(submission: Submission, options: SubmitOptions): Promise<SubmissionAnswer>;
}

/** A receipt opened by its id: the recorded decisions, and the current decisions of the same person. */
export type OpenedReceipt = Schema<"OpenedReceipt">;

/** The terms that a rider must still accept. */
export type Outstanding = Schema<"OutstandingBody">;

/** All calls of the terms API. Each rejects with an `HttpError` for every error status. */
export interface TermsClient extends ConsentCalls {
  /** Fetches decisions, newest first. For the next page, `before` is the `seq` of the oldest loaded decision. */
  fetchHistory(
    userId: string,
    page?: { readonly limit?: number; readonly before?: number },
  ): Promise<ConsentHistory>;
  /** Fetches the terms that a rider must still accept. */
  fetchOutstanding(query: TermsQuery & { readonly userId: string }): Promise<Outstanding>;
  /** Opens a receipt. Its id is sent in the body, because any holder of the id can withdraw and claim. */
  lookUpReceipt(id: string): Promise<OpenedReceipt>;
  /** Adds an applicant's submission to the account of the session. */
  claimReceipt(id: string): Promise<ConsentList>;
}

/**
 * Creates the three calls of a consent screen.
 *
 * Each call rejects with an `HttpError` for every error status.
 */
export function createConsentCalls(options: TermsClientOptions = {}): ConsentCalls {
  const call = createCall(options);
  return {
    ...createConsentReads(options),
    submitConsents: (submission, { idempotencyKey }) =>
      call<SubmissionAnswer>("/terms/consents", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: JSON.stringify(submission),
      }).catch(logSetupError(submission.market ?? undefined)),
  };
}

/**
 * Creates a client of the terms API.
 *
 * @example
 * const client = createTermsClient({ fetch: session.fetch, locale: "de" });
 * const terms = await client.fetchTerms({ userId: "rider-1", termsType: "FREELANCER" });
 */
export function createTermsClient(options: TermsClientOptions = {}): TermsClient {
  const call = createCall(options);
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
      const path = userPath(userId, `history?limit=${limit}${older}`);
      const page = await call<ConsentHistory>(path);
      const resolved = page.history.map((entry) => ({
        ...entry,
        term: resolveContent(entry.term, options.baseUrl),
      }));
      return { ...page, history: resolved };
    },
    fetchOutstanding: ({ userId, termsType }) =>
      call(userPath(userId, `outstanding?types=${askedTypes(termsType)}`)),
    async lookUpReceipt(id) {
      const opened = await withReceipt<OpenedReceipt>("/terms/consents/receipts", id);
      const terms = opened.terms.map((term) => resolveContent(term, options.baseUrl));
      return { ...opened, terms };
    },
    claimReceipt: (id) => withReceipt("/terms/consents/claims", id),
  };
}
