// Separate from the module that submits: a consent screen loads that one later, as its own chunk.
import { type Fetch, requestJson } from "../http";
import type { ConsentList } from "./consents";
import { observeClock } from "./device-clock";
import { resolveContent } from "./document-links";
import { logSetupError } from "./market";
import { askedTypes, asTerms, type Term } from "./term";

/** Options of the clients of the terms API. */
export interface TermsClientOptions {
  /** The address of the terms API. Default `DEFAULT_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** Sends the requests. For a rider, the `fetch` of their session. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The language of the terms as a BCP 47 tag. Default: the language of the browser. */
  readonly locale?: string | undefined;
}

/** A query for terms. */
export interface TermsQuery {
  readonly userId?: string | undefined;
  readonly termsType: string;
  /**
   * The market of an applicant, such as `DE-BE`. Without it, the query returns only the terms for all
   * markets. Not sent with a user id, because an account has its own market.
   */
  readonly market?: string | undefined;
  /** Bypasses all caches of HTTP and of the host. Set it after the server has responded `terms_changed`. */
  readonly fresh?: boolean;
}

/** The calls that a consent screen needs before it can render. */
export interface ConsentReads {
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
}

/** The default address of the terms API, on the page's own origin. */
export const DEFAULT_BASE_URL = "/api/rooster/v3";

export function createCall({ baseUrl = DEFAULT_BASE_URL, fetch, locale }: TermsClientOptions) {
  const defaultHeaders: Record<string, string> = { Accept: "application/json" };
  if (locale) defaultHeaders["Accept-Language"] = locale;
  const observed: Fetch = async (input, init) => {
    // Reads the global `fetch` on each call, because a host may replace it after this module was loaded.
    const response = await (fetch ?? globalThis.fetch.bind(globalThis))(input, init);
    observeClock(response, init?.method);
    return response;
  };
  return <T>(path: string, { headers, ...init }: RequestInit = {}): Promise<T> =>
    requestJson<T>(observed, baseUrl + path, {
      ...init,
      headers: { ...defaultHeaders, ...headers },
    });
}

export const userPath = (userId: string, resource: string) =>
  `/terms/${encodeURIComponent(userId)}/${resource}`;

/** Creates the calls that a consent screen needs before it can render. */
export function createConsentReads(options: TermsClientOptions = {}): ConsentReads {
  const call = createCall(options);
  return {
    async fetchTerms({ userId, termsType, market, fresh }) {
      const path = userId ? "/terms" : "/public/terms";
      const init: RequestInit = fresh ? { cache: "reload" } : {};
      const marketParameter = market && !userId ? `&market=${encodeURIComponent(market)}` : "";
      const response = call(`${path}?types=${askedTypes(termsType)}${marketParameter}`, init);
      const terms = asTerms(await response.catch(logSetupError(market)));
      return terms.map((term) => resolveContent(term, options.baseUrl));
    },
    fetchConsents: (userId) => call(userPath(userId, "consents")),
  };
}
