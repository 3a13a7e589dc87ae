/** Why a request could not be authorised. */
export type Reason =
  | "not_expired"
  | "forbidden"
  | "retried"
  | "refresh_rejected"
  | "refresh_unavailable"
  | "missing_token"
  | "invalid_token";

/** The request that led to a log-out. */
export interface RefusedRequest {
  readonly method: string;
  readonly url: string;
}

/** What `onLogout` is told. `status` and `request` are those of the request that led to it. */
export interface Logout {
  readonly reason: Reason;
  readonly final: boolean;
  readonly status?: number | undefined;
  readonly request?: RefusedRequest | undefined;
}

/** Messages of the specification's error catalogue. */
const MESSAGES: Partial<Record<Reason, string>> = {
  missing_token: "Missing cookie dhh_token or refresh_token",
  invalid_token: "Invalid token specified",
};

/**
 * Why the session could not authorise a request: the `cause` of its error, or the error itself when the
 * request was never sent.
 */
export class SessionError extends Error {
  readonly reason: Reason;
  /** False when the session may go on: a missing permission, or no answer for now. */
  readonly final: boolean;

  constructor(reason: Reason) {
    super(MESSAGES[reason] ?? `The session: ${reason}`);
    this.name = "SessionError";
    this.reason = reason;
    this.final = reason !== "forbidden" && reason !== "refresh_unavailable";
  }
}
