import { storedAnswer, storeForUser } from "../offline/stored-answers";
import { type Area, readStored, survivesReload, writeStored } from "../storage/storage";
import type { Decision, StoredReceipt } from "./receipt";

const KEY = "musette.receipts";
/** Far more than one person's decisions, and far less than what fills a browser's storage. */
const RECEIPTS_MAX = 60;

// Returns where the receipts of a user are stored. An applicant has no account, so their receipts
// are only on this device. A rider's are on the server, and are removed with the tab in case the
// phone is shared.
function areaFor(userId: string): Area {
  return userId === "" ? "localStorage" : "sessionStorage";
}

function read(area: Area): readonly StoredReceipt[] {
  try {
    const stored: unknown = JSON.parse(readStored(area, KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as readonly StoredReceipt[]) : [];
  } catch {
    return [];
  }
}

export function storeReceipt(receipt: StoredReceipt): void {
  const area = areaFor(receipt.userId);
  const others = read(area).filter(({ id }) => id !== receipt.id);
  writeStored(area, KEY, JSON.stringify([receipt, ...others].slice(0, RECEIPTS_MAX)));
  // The tab may be closed before there is a network again.
  if (receipt.userId) storeForUser(receipt.userId, nameOf(receipt.id), receipt);
}

const nameOf = (id: string) => `given ${id}`;

/** Returns all receipts on this phone and in this tab, of all users. */
export function allReceipts(): readonly StoredReceipt[] {
  return [...read("localStorage"), ...read("sessionStorage")];
}

/**
 * Whether an applicant's receipts survive this page. If not, the app must not say that there are
 * none.
 */
export function canStoreReceipts(): boolean {
  return survivesReload("localStorage", KEY);
}

/** Returns an applicant's receipts, newest first. */
export function applicantReceipts(): readonly StoredReceipt[] {
  return read("localStorage");
}

export function storedReceipt(id: string, userId: string | undefined): StoredReceipt | undefined {
  const stored = allReceipts().find(
    (receipt) => receipt.id === id && (receipt.userId === "" || receipt.userId === userId),
  );
  return stored ?? (userId ? storedAnswer<StoredReceipt>(nameOf(id))?.value : undefined);
}

/** Returns the first receipt of the same applicant, as far as this phone knows. */
export function applicationOf(id: string): string {
  return applicantReceipts().find((receipt) => receipt.id === id)?.root ?? id;
}

/**
 * The decisions of one applicant on this device. Two applicants may share it: their decisions are
 * never mixed.
 */
export interface Application {
  /** The first receipt, which identifies the applicant. */
  readonly root: string;
  readonly appliedAt: string;
  /** Newest first. */
  readonly decisions: readonly Decision[];
}

/** Returns the applications on this phone, newest first. */
export function applications(): readonly Application[] {
  const byRoot = new Map<string, StoredReceipt[]>();
  for (const receipt of applicantReceipts()) {
    const group = byRoot.get(receipt.root);
    if (group) group.push(receipt);
    else byRoot.set(receipt.root, [receipt]);
  }
  return [...byRoot]
    .map(([root, receipts]) => ({
      root,
      appliedAt: receipts.at(-1)?.recordedAt ?? "",
      decisions: receipts.flatMap(({ decisions }) => decisions),
    }))
    .filter(({ decisions }) => decisions.length > 0)
    .sort((a, b) => Date.parse(b.appliedAt) - Date.parse(a.appliedAt));
}

/** Removes an application that an account has claimed, and whose receipts the account has from now on. */
export function removeApplication(root: string): void {
  const others = applicantReceipts().filter((receipt) => receipt.root !== root);
  writeStored("localStorage", KEY, JSON.stringify(others));
}

/**
 * Removes all applications, for another person on this phone. The receipts can still be opened by
 * their numbers.
 */
export function removeApplications(): void {
  writeStored("localStorage", KEY, undefined);
}
