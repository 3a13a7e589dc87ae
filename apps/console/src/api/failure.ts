import { HttpError } from "@musette/client/http";
import { isReauthenticationRequired } from "./reauthentication";

export type FailureKind =
  | "offline"
  | "server"
  | "signedOut"
  | "forbidden"
  | "unconfirmed"
  | "rateLimited"
  | "changed"
  | "refused";

const byStatus: Readonly<Record<number, FailureKind>> = {
  401: "signedOut",
  403: "forbidden",
  412: "changed",
  429: "rateLimited",
};

/** Returns the kind of an error, for its text. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof HttpError)) return "offline";
  if (isReauthenticationRequired(error)) return "unconfirmed";
  return byStatus[error.status] ?? (error.status < 500 ? "refused" : "server");
}
