import { requestJson } from "@musette/client/http";
import type { SignedReceipt } from "@musette/client/log";
import { session } from "../session/session";

/** A server without the log answers with the id alone: then there is no proof to show. */
export function asSigned(receipt: unknown): SignedReceipt | undefined {
  const isSigned =
    typeof receipt === "object" && receipt !== null && "entry" in receipt && "proof" in receipt;
  return isSigned ? (receipt as SignedReceipt) : undefined;
}

/** A rider's, for a device that has not kept it. The receipt can be read without its proof. */
export function fetchSigned(id: string): Promise<SignedReceipt | undefined> {
  const address = `/receipts/${encodeURIComponent(id)}.json`;
  return requestJson<unknown>(session.fetch, address).then(asSigned, () => undefined);
}

/** Saves it as it was given: each byte of the entry and of the proof counts. */
export function download(receipt: SignedReceipt): void {
  const file = new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `musette-receipt-${receipt.id}.json`;
  link.click();
  // Safari reads the file only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
