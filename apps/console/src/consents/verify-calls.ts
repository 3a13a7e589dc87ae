import { fetchFile, fetchReceipt } from "../api/download";
import { checkReceipt, type DocumentCheck, type Verdict } from "./check";

async function publicText(url: string): Promise<string> {
  return (await fetchFile(url)).text();
}

export const receiptText = async (id: string): Promise<string> =>
  (await fetchReceipt(id, "json")).text();

async function checkDocument(sha256: string): Promise<DocumentCheck["state"]> {
  try {
    const file = await fetchFile(`/documents/${sha256}.pdf`);
    const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    const hex = [...new Uint8Array(digest)]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("");
    return hex === sha256 ? "same" : "other";
  } catch (error) {
    const isGone = error instanceof Error && "status" in error && error.status === 404;
    return isGone ? "gone" : "unknown";
  }
}

/** Verifies a receipt against the keys of all logs that this database has ever signed. */
export async function verify(text: string, userId: string | undefined): Promise<Verdict> {
  const keys = await publicText("/log/keys");
  const vkeys = keys.split("\n").filter((line) => line.trim() !== "");
  return checkReceipt(text, { vkeys, userId, checkDocument });
}
