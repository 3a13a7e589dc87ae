import { keepOf, keptAnswer } from "../offline/kept-answers";
import { type Area, readStored, staysStored, writeStored } from "../storage/storage";
import type { Decision, KeptReceipt } from "./receipt";

const KEY = "musette.receipts";
/** Far more than anybody decides, and far less than what fills a browser's storage. */
const MOST = 60;

// An applicant has no account, so this device is where their receipts live. A rider's are on the
// server: on a phone that is lent, they go with the tab.
function areaFor(userId: string): Area {
  return userId === "" ? "localStorage" : "sessionStorage";
}

function read(area: Area): readonly KeptReceipt[] {
  try {
    const kept: unknown = JSON.parse(readStored(area, KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as readonly KeptReceipt[]) : [];
  } catch {
    return [];
  }
}

export function keepReceipt(receipt: KeptReceipt): void {
  const area = areaFor(receipt.userId);
  const others = read(area).filter(({ id }) => id !== receipt.id);
  writeStored(area, KEY, JSON.stringify([receipt, ...others].slice(0, MOST)));
  // The tab may be closed before there is a network again.
  if (receipt.userId) keepOf(receipt.userId, nameOf(receipt.id), receipt);
}

const nameOf = (id: string) => `given ${id}`;

/** Everything that is kept on this phone and in this tab, of all users. */
export function allReceipts(): readonly KeptReceipt[] {
  return [...read("localStorage"), ...read("sessionStorage")];
}

/** Whether an applicant's receipts are here after this page; else nobody may say that there are none. */
export function keepsReceipts(): boolean {
  return staysStored("localStorage", KEY);
}

/** Newest first. */
export function applicantReceipts(): readonly KeptReceipt[] {
  return read("localStorage");
}

export function keptReceipt(id: string, userId: string | undefined): KeptReceipt | undefined {
  const here = allReceipts().find(
    (receipt) => receipt.id === id && (receipt.userId === "" || receipt.userId === userId),
  );
  return here ?? (userId ? keptAnswer<KeptReceipt>(nameOf(id))?.value : undefined);
}

/** The first receipt of the applicant whom this one belongs to, as far as this phone knows. */
export function applicationOf(id: string): string {
  return applicantReceipts().find((receipt) => receipt.id === id)?.root ?? id;
}

/** What one applicant decided on this device. Two people may share it: they are never mixed. */
export interface Application {
  /** The first receipt, which stands for the person. */
  readonly root: string;
  readonly appliedAt: string;
  /** Newest first. */
  readonly decisions: readonly Decision[];
}

/** The newest first. */
export function applications(): readonly Application[] {
  const byRoot = new Map<string, KeptReceipt[]>();
  for (const receipt of applicantReceipts()) {
    const known = byRoot.get(receipt.root);
    if (known) known.push(receipt);
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

/** Joined to an account, which has its receipts from now on. */
export function forgetApplication(root: string): void {
  const others = applicantReceipts().filter((receipt) => receipt.root !== root);
  writeStored("localStorage", KEY, JSON.stringify(others));
}

/** Somebody else has the phone now. Whoever noted their number still finds their receipt by it. */
export function forgetApplications(): void {
  writeStored("localStorage", KEY, undefined);
}
