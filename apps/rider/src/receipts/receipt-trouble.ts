import { HttpError } from "@musette/client/http";
import { failureKind } from "@musette/client/terms";
import type { RiderTexts } from "../texts/texts";

/** What the server can say of a receipt number; anything else is trouble on the way there. */
export type ReceiptTrouble = keyof RiderTexts["receipt"]["troubles"] | "otherwise";

export function receiptTrouble(error: unknown, userId: string | undefined): ReceiptTrouble {
  if (!(error instanceof HttpError)) return "otherwise";
  const { status, problem } = error;
  if (status === 401 && userId === undefined) return "ofAccount";
  // Only a claim gives this code, after the receipt was read: its number is right.
  if (problem?.code === "receipt_claimed") return "ofAnother";
  // A proxy's own 404 says nothing about a receipt.
  if (problem?.code === "receipt_unknown") return userId === undefined ? "unknown" : "notYours";
  return status === 410 ? "erased" : "otherwise";
}

export function troubleText(texts: RiderTexts, error: unknown, userId: string | undefined): string {
  const trouble = receiptTrouble(error, userId);
  return trouble === "otherwise"
    ? texts.failure[failureKind(error)]
    : texts.receipt.troubles[trouble];
}
