/** Kinds of failures that a screen has a text for. */
export type FailureKind =
  | "offline"
  /** There was no network when it was to be sent: the server has not seen it. */
  | "unsent"
  | "changed"
  | "signedOut"
  | "rateLimited"
  | "clock"
  /** The market is malformed, or the server does not know it. */
  | "unknownMarket"
  | "refused"
  | "server";

/** The browser says that there is no network. That it says otherwise means little. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** Why a request failed. */
export interface Failure {
  /** `offline` claims no more than that no answer came: the server may have recorded. */
  readonly kind: FailureKind;
  /** What `Retry-After` asks for, where the answer has it. */
  readonly seconds?: number;
  /** The server has read the submission and said no: nothing is recorded under its key. */
  readonly final: boolean;
}

interface AnyResponse {
  readonly status?: number;
  readonly data?: { readonly code?: string };
  readonly headers?: unknown;
}

interface AnyHttpError {
  readonly name?: string;
  /** The reason of a `SessionError`: the error itself, or the cause of one of a sent request. */
  readonly reason?: string;
  readonly cause?: { readonly reason?: string };
  readonly code?: string;
  readonly status?: number;
  readonly problem?: { readonly code?: string };
  readonly response?: AnyResponse;
}

/** Statuses that no captive portal or proxy answers in the server's place. */
const READ_AND_REFUSED = [400, 409, 410, 413, 415, 422];

const FINAL: readonly FailureKind[] = ["changed", "clock", "unknownMarket", "refused"];

/**
 * Classifies an error of this package, of axios or of `fetch`, since a host may submit by its own means.
 */
export function failureOf(error: unknown): Failure {
  const known = (error ?? {}) as AnyHttpError;
  const { response } = known;
  const status = known.status ?? response?.status;
  const problemCode = known.problem?.code ?? response?.data?.code;
  const kind = kindOf(known, status, problemCode);
  const seconds = status === 429 || status === 503 ? retryAfter(response) : undefined;
  return {
    kind,
    final: FINAL.includes(kind),
    ...(seconds !== undefined && { seconds }),
  };
}

/** The kind of a failure alone; see `failureOf`. */
export function failureKind(error: unknown): FailureKind {
  return failureOf(error).kind;
}

function kindOf(
  { name, reason, cause, code }: AnyHttpError,
  status: number | undefined,
  problemCode: string | undefined,
): FailureKind {
  // Refused only because there was no answer to the wish for a new token: the session goes on.
  if ((cause?.reason ?? reason) === "refresh_unavailable") return "offline";
  if (status === undefined) {
    const unanswered = name === "TypeError" || name === "AbortError" || code === "ERR_NETWORK";
    return unanswered ? "offline" : "server";
  }
  if (problemCode === "terms_changed") return "changed";
  if (problemCode === "consented_at_in_future") return "clock";
  if (problemCode === "unknown_market") return "unknownMarket";
  if (status === 401 || status === 403) return "signedOut";
  if (status === 429) return "rateLimited";
  // The first try is still being recorded: asking again soon is all there is to do.
  if (problemCode === "idempotency_key_in_use" || status >= 500) return "server";
  return problemCode || READ_AND_REFUSED.includes(status) ? "refused" : "server";
}

/** In seconds or, as RFC 9110 §10.2.3 also has it, as a date: then by the server's own clock. */
function retryAfter(response: AnyResponse | undefined): number | undefined {
  const header = (name: string) => {
    const headers = response?.headers as { get?(name: string): unknown } & Record<string, unknown>;
    return String((headers?.get ? headers.get(name) : headers?.[name]) ?? "");
  };
  const asked = header("retry-after").trim();
  if (/^\d{1,6}$/.test(asked)) return Number(asked);
  const seconds = Math.ceil((Date.parse(asked) - Date.parse(header("date"))) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
