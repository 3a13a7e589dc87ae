import { readStored, writeStored } from "../storage/storage";
import type { KeptReceipt } from "./receipt";

const KEY = "musette.receipts";
/** Far more than anybody decides, and far less than what fills a browser's storage. */
const MOST = 60;

// An applicant has no account, so this device is where their receipts live. A rider's are on the
// server: on a phone that is lent, they go with the tab.
function storageFor(userId: string): Storage {
  return userId === "" ? localStorage : sessionStorage;
}

function read(storage: Storage): readonly KeptReceipt[] {
  try {
    const kept: unknown = JSON.parse(readStored(storage, KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as readonly KeptReceipt[]) : [];
  } catch {
    return [];
  }
}

export function keepReceipt(receipt: KeptReceipt): void {
  const storage = storageFor(receipt.userId);
  const others = read(storage).filter(({ id }) => id !== receipt.id);
  writeStored(storage, KEY, JSON.stringify([receipt, ...others].slice(0, MOST)));
}

/** Newest first. */
export function applicantReceipts(): readonly KeptReceipt[] {
  return read(localStorage);
}

export function keptReceipt(id: string, userId: string | undefined): KeptReceipt | undefined {
  return [...read(localStorage), ...read(sessionStorage)].find(
    (receipt) => receipt.id === id && (receipt.userId === "" || receipt.userId === userId),
  );
}
