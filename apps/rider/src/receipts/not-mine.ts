import { readStored, writeStored } from "../storage/storage";

const KEY = "musette.receipts.notMine";
const MARKS_MAX = 200;

/** FNV-1a: enough to distinguish applications, and it reveals no user on a shared phone. */
function hashOf(userId: string, root: string): string {
  let hash = 0x811c9dc5;
  for (const unit of new TextEncoder().encode(`${userId}\n${root}`)) {
    hash = Math.imul(hash ^ unit, 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

function marks(): readonly string[] {
  return (readStored("localStorage", KEY) ?? "").split(" ").filter(Boolean);
}

/** Whether this account has said that an application on this phone is another person's. */
export function isNotMine(userId: string, root: string): boolean {
  return marks().includes(hashOf(userId, root));
}

export function markNotMine(userId: string, root: string): void {
  const all = [hashOf(userId, root), ...marks()].slice(0, MARKS_MAX);
  writeStored("localStorage", KEY, [...new Set(all)].join(" "));
}
