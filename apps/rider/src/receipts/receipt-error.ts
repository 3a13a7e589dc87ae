import { HttpError } from "@musette/client/http";
import { failureKind } from "@musette/client/terms";
import type { RiderTexts } from "../texts/texts";

/** The server's errors for a receipt number; "otherwise" for every other error. */
export type ReceiptErrorKind = keyof RiderTexts["receipt"]["errors"] | "otherwise";

export function receiptErrorKind(error: unknown, userId: string | undefined): ReceiptErrorKind {
  if (!(error instanceof HttpError)) return "otherwise";
  const { status, problem } = error;
  if (status === 401 && userId === undefined) return "ofAccount";
  // Only a claim returns this code, after the receipt was read: its number is correct.
  if (problem?.code === "receipt_claimed") return "ofAnother";
  // A proxy's own 404 has no such code, and says nothing about the receipt.
  if (problem?.code === "receipt_unknown") return userId === undefined ? "unknown" : "notYours";
  return status === 410 ? "erased" : "otherwise";
}

export function receiptErrorText(
  texts: RiderTexts,
  error: unknown,
  userId: string | undefined,
): string {
  const kind = receiptErrorKind(error, userId);
  return kind === "otherwise" ? texts.failure[failureKind(error)] : texts.receipt.errors[kind];
}
