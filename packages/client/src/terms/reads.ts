// Apart from what sends: a consent screen loads that later, and a module is in one chunk only.
import { type Fetch, requestJson } from "../http";
import type { ConsentList } from "./consents";
import { resolveContent } from "./document-links";
import { explainSetUp } from "./market";
import { askedTypes, asTerms, type Term } from "./term";

/** Options of the clients of the terms API. */
export interface TermsClientOptions {
  /** Default `DEFAULT_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** Sends the requests: a session's for a rider. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The language of the terms, a BCP 47 tag. Default: the browser's own. */
  readonly locale?: string | undefined;
}

/** Which terms are asked for. */
export interface TermsQuery {
  readonly userId?: string | undefined;
  readonly termsType: string;
  /**
   * The market of an applicant, such as `DE-BE`. Without it only the terms for everywhere are asked for. Not sent with
   * a user id: an account has its own.
   */
  readonly market?: string | undefined;
  /** The server said that the terms have changed: no cache, of HTTP or of a host, may answer. */
  readonly fresh?: boolean;
}

/** What a consent screen asks for before it can be drawn. */
export interface ConsentReads {
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
}

/** Where the terms API is, on the page's own origin. */
export const DEFAULT_BASE_URL = "/api/rooster/v3";

export function caller({ baseUrl = DEFAULT_BASE_URL, fetch, locale }: TermsClientOptions) {
  const always: Record<string, string> = { Accept: "application/json" };
  if (locale) always["Accept-Language"] = locale;
  return <T>(path: string, { headers, ...init }: RequestInit = {}): Promise<T> =>
    // Looked up on each call: a host may install its own fetch after this module was loaded.
    requestJson<T>(fetch ?? globalThis.fetch.bind(globalThis), baseUrl + path, {
      ...init,
      headers: { ...always, ...headers },
    });
}

export const ofUser = (userId: string, what: string) =>
  `/terms/${encodeURIComponent(userId)}/${what}`;

/** Makes the calls that a consent screen needs before it can be drawn. */
export function createConsentReads(options: TermsClientOptions = {}): ConsentReads {
  const call = caller(options);
  return {
    async fetchTerms({ userId, termsType, market, fresh }) {
      const path = userId ? "/terms" : "/public/terms";
      const init: RequestInit = fresh ? { cache: "reload" } : {};
      const within = market && !userId ? `&market=${encodeURIComponent(market)}` : "";
      const asked = call(`${path}?types=${askedTypes(termsType)}${within}`, init);
      const terms = asTerms(await asked.catch(explainSetUp(market)));
      return terms.map((term) => resolveContent(term, options.baseUrl));
    },
    fetchConsents: (userId) => call(ofUser(userId, "consents")),
  };
}
