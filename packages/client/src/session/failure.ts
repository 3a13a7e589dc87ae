/** The reason why a request could not be authorized. */
export type Reason =
  | "not_expired"
  | "forbidden"
  | "retried"
  | "refresh_rejected"
  | "refresh_unavailable"
  | "missing_token"
  | "invalid_token";

/** The request that caused a call of `onLogout`. */
export interface RefusedRequest {
  readonly method: string;
  readonly url: string;
}

/** The argument of `onLogout`. `status` and `request` describe the request that caused the call. */
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
 * The reason why the session could not authorize a request. It is the `cause` of the request's error, or
 * the error itself if the request was never sent.
 */
export class SessionError extends Error {
  readonly reason: Reason;
  /** False if the session continues: the user lacks a permission, or the server did not respond. */
  readonly final: boolean;

  constructor(reason: Reason) {
    super(MESSAGES[reason] ?? `The session could not authorize the request: ${reason}`);
    this.name = "SessionError";
    this.reason = reason;
    this.final = reason !== "forbidden" && reason !== "refresh_unavailable";
  }
}
