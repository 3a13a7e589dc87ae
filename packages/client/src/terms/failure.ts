/** What stands between the person and the server, in kinds that plain words can be found for. */
export type FailureKind =
  | "offline"
  | "changed"
  | "signedOut"
  | "rateLimited"
  | "clock"
  | "refused"
  | "server";

interface AnyHttpError {
  readonly name?: string;
  /** Of our session's own error, which is also the cause of the error of a request that was sent. */
  readonly reason?: string;
  readonly cause?: { readonly reason?: string };
  readonly code?: string;
  readonly status?: number;
  readonly problem?: { readonly code?: string };
  readonly response?: { readonly status?: number; readonly data?: { readonly code?: string } };
}

/** Understands our own error, and that of axios too, since a host may submit by its own means. */
export function failureKind(error: unknown): FailureKind {
  const {
    name,
    reason,
    cause,
    code,
    status: ownStatus,
    problem,
    response,
  } = (error ?? {}) as AnyHttpError;
  const status = ownStatus ?? response?.status;
  const problemCode = problem?.code ?? response?.data?.code;
  // Refused only because there was no answer to the wish for a new token: the session goes on.
  if ((cause?.reason ?? reason) === "refresh_unavailable") return "offline";
  if (status === undefined) {
    const unanswered = name === "TypeError" || name === "AbortError" || code === "ERR_NETWORK";
    return unanswered ? "offline" : "server";
  }
  if (problemCode === "terms_changed") return "changed";
  if (problemCode === "consented_at_in_future") return "clock";
  if (status === 401 || status === 403) return "signedOut";
  if (status === 429) return "rateLimited";
  // The first try is still being recorded: asking again soon is all there is to do.
  if (problemCode === "idempotency_key_in_use" || status >= 500) return "server";
  return "refused";
}
