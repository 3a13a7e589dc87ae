import type { SignedReceipt } from "@musette/client/log";
import { session } from "../session/session";
import type { StoredReceipt } from "../terms/receipt";

/** Fetches the certificate, which a lawyer can read; undefined if it is not available. */
export async function fetchCertificate(
  receipt: StoredReceipt,
  language: string,
): Promise<Blob | undefined> {
  // An applicant's receipt can be opened with its number alone.
  const call = receipt.userId === "" ? fetch : session.fetch;
  try {
    // The number is in the body, because proxies write addresses to their logs.
    const response = await call("/receipts", {
      method: "POST",
      headers: { "accept-language": language, "content-type": "application/json" },
      body: JSON.stringify({ receipt: { id: receipt.id }, format: "pdf" }),
    });
    return response.ok ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the receipt as the server gave it: each byte of the entry and of the proof counts. */
export function receiptFile(receipt: SignedReceipt): Blob {
  return new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: "application/json" });
}

export function save(file: Blob, id: string, ending: string): void {
  saveAs(file, `musette-receipt-${id}.${ending}`);
}

/** Saves a file on the device. */
export function saveAs(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Safari reads the file only after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
