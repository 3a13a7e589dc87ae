import { HttpError } from "@musette/client/http";
import { type FailureKind, failureKind } from "@musette/client/terms";

/** What went wrong, as far as the person can act on it. */
export type SignInError =
  | { readonly kind: "wrongCode" }
  | { readonly kind: "throttled"; readonly untilMs: number }
  | { readonly kind: "failed"; readonly failure: FailureKind };

/** Used if the server does not say how long to wait. */
const WAIT_S = 60;

export function signInErrorOf(error: unknown, nowMs: number): SignInError {
  if (error instanceof HttpError) {
    if (error.status === 429) {
      const seconds = Number(error.response.headers.get("Retry-After")) || WAIT_S;
      return { kind: "throttled", untilMs: nowMs + seconds * 1000 };
    }
    if (error.problem?.code === "code_invalid") return { kind: "wrongCode" };
    // There is no session yet, so none can have ended.
    if (error.status < 500) return { kind: "failed", failure: "refused" };
  }
  return { kind: "failed", failure: failureKind(error) };
}
