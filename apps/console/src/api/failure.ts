import { HttpError } from "@musette/client/http";

export type FailureKind =
  | "offline"
  | "server"
  | "signedOut"
  | "forbidden"
  | "rateLimited"
  | "changed"
  | "refused";

const byStatus: Readonly<Record<number, FailureKind>> = {
  401: "signedOut",
  403: "forbidden",
  412: "changed",
  429: "rateLimited",
};

/** Whatever failed, as something that words can be found for. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof HttpError)) return "offline";
  return byStatus[error.status] ?? (error.status < 500 ? "refused" : "server");
}
