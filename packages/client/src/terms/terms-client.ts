import { type Fetch, requestJson } from "../http";
import type { Consent, ConsentList } from "./consents";
import type { Submission, SubmissionAnswer } from "./submission";
import { askedTypes, asTerms, type Term } from "./term";

export interface TermsClientOptions {
  readonly baseUrl?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** The language asked for; without it the browser's own. */
  readonly locale?: string | undefined;
}

export interface TermsQuery {
  readonly userId?: string | undefined;
  readonly termsType: string;
}

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

export interface TermsClient {
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
  submitConsents(submission: Submission, options: SubmitOptions): Promise<SubmissionAnswer>;
  /** Newest first; `before` is the `seq` of the oldest one that is already there. */
  fetchHistory(
    userId: string,
    page?: { readonly limit?: number; readonly before?: number },
  ): Promise<ConsentHistory>;
}

export const DEFAULT_BASE_URL = "/api/rooster/v3";

export function createTermsClient(options: TermsClientOptions = {}): TermsClient {
  const terms = `${options.baseUrl ?? DEFAULT_BASE_URL}/terms`;
  const publicTerms = `${options.baseUrl ?? DEFAULT_BASE_URL}/public/terms`;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (options.locale) headers["Accept-Language"] = options.locale;

  function call<T>(url: string, init?: RequestInit): Promise<T> {
    // Looked up on each call: a host may install its own fetch after this module was loaded.
    const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    return requestJson<T>(fetch, url, { ...init, headers: { ...headers, ...init?.headers } });
  }

  return {
    async fetchTerms({ userId, termsType }) {
      const url = `${userId ? terms : publicTerms}?types=${askedTypes(termsType)}`;
      return asTerms(await call<unknown>(url));
    },
    fetchConsents: (userId) => call(`${terms}/${encodeURIComponent(userId)}/consents`),
    submitConsents: (submission, { idempotencyKey }) =>
      call(`${terms}/consents`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: JSON.stringify(submission),
      }),
    fetchHistory: (userId, { limit = 100, before } = {}) => {
      const older = before === undefined ? "" : `&before=${before}`;
      return call(`${terms}/${encodeURIComponent(userId)}/history?limit=${limit}${older}`);
    },
  };
}
