import { readStored, writeStored } from "../storage/storage";

/** A code that was asked for, and is on its way to the person. */
export interface SentCode {
  readonly identifier: string;
  readonly expiresAtMs: number;
  /** Before that it is too early to ask for another one. */
  readonly resendAtMs: number;
}

const KEY = "musette.sign-in";

/**
 * Kept with the tab: a phone drops the page while the person looks the code up in another app, and
 * asking for a second code would make the one that they have just read useless.
 */
export function keepSentCode(sent: SentCode | undefined): void {
  writeStored("sessionStorage", KEY, sent && JSON.stringify(sent));
}

export function keptSentCode(nowMs: number): SentCode | undefined {
  const stored = readStored("sessionStorage", KEY);
  const sent = stored ? (JSON.parse(stored) as SentCode) : undefined;
  return sent && sent.expiresAtMs > nowMs ? sent : undefined;
}
