import { clockOffset } from "./device-clock";

/** The kinds of failures. A consent screen has a text for each. */
export type FailureKind =
  /** There was no response. */
  | "offline"
  /** There was no network when the submission was to be sent, so the server has not received it. */
  | "unsent"
  /** The terms have changed. */
  | "changed"
  | "signedOut"
  | "rateLimited"
  | "clock"
  /** The market is malformed, or the server does not know it. */
  | "unknownMarket"
  | "refused"
  | "server";

/** Returns whether the browser reports no network. A false result is not reliable. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** The reason why a request failed. */
export interface Failure {
  /** With `offline` the client received no response, but the server may have recorded the submission. */
  readonly kind: FailureKind;
  /** The delay of `Retry-After`, if the response has it. */
  readonly seconds?: number;
  /** With `clock`: the milliseconds to add to the device's clock, if the response has a `Date`. */
  readonly clockOffsetMs?: number;
  /** Whether the server has rejected the submission, so that nothing is recorded under its key. */
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

/** Statuses that only the server sends, and no captive portal or proxy. */
const REJECTED_BY_SERVER = [400, 409, 410, 413, 415, 422];

const FINAL: readonly FailureKind[] = ["changed", "clock", "unknownMarket", "refused"];

/**
 * Classifies an error of this package, of axios or of `fetch`. It supports all three, because a host may
 * submit with its own HTTP client.
 *
 * @example
 * const { kind, final } = failureOf(error);
 * if (kind === "changed") reloadTerms();
 */
export function failureOf(error: unknown): Failure {
  const httpError = (error ?? {}) as AnyHttpError;
  const { response } = httpError;
  const status = httpError.status ?? response?.status;
  const problemCode = httpError.problem?.code ?? response?.data?.code;
  const kind = kindOf(httpError, status, problemCode);
  const seconds = status === 429 || status === 503 ? retryAfter(response) : undefined;
  const clockOffsetMs = kind === "clock" ? clockOffset(headerOf(response, "date")) : undefined;
  return {
    kind,
    final: FINAL.includes(kind),
    ...(seconds !== undefined && { seconds }),
    ...(clockOffsetMs !== undefined && { clockOffsetMs }),
  };
}

/** Returns only the kind of a failure; see `failureOf`. */
export function failureKind(error: unknown): FailureKind {
  return failureOf(error).kind;
}

function kindOf(
  { name, reason, cause, code }: AnyHttpError,
  status: number | undefined,
  problemCode: string | undefined,
): FailureKind {
  // The request failed because the token refresh got no response. The session continues.
  if ((cause?.reason ?? reason) === "refresh_unavailable") return "offline";
  if (status === undefined) {
    const hasNoResponse = name === "TypeError" || name === "AbortError" || code === "ERR_NETWORK";
    return hasNoResponse ? "offline" : "server";
  }
  if (problemCode === "terms_changed") return "changed";
  if (problemCode === "consented_at_in_future") return "clock";
  if (problemCode === "unknown_market") return "unknownMarket";
  if (status === 401 || status === 403) return "signedOut";
  if (status === 429) return "rateLimited";
  // The server is still recording the first attempt, so the caller can only retry soon.
  if (problemCode === "idempotency_key_in_use" || status >= 500) return "server";
  return problemCode || REJECTED_BY_SERVER.includes(status) ? "refused" : "server";
}

function headerOf(response: AnyResponse | undefined, name: string): string {
  const headers = response?.headers as { get?(name: string): unknown } & Record<string, unknown>;
  return String((headers?.get ? headers.get(name) : headers?.[name]) ?? "");
}

/** Returns `Retry-After` in seconds. A date (RFC 9110 §10.2.3) is compared with the server's own `Date`. */
function retryAfter(response: AnyResponse | undefined): number | undefined {
  const value = headerOf(response, "retry-after").trim();
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.parse(headerOf(response, "date"))) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
