import { readStored, writeStored } from "../storage/storage";

/** A code that was requested and is being delivered. */
export interface SentCode {
  readonly identifier: string;
  readonly expiresAtMs: number;
  /** The time from which another code may be requested. */
  readonly resendAtMs: number;
}

const KEY = "musette.sign-in";

/**
 * Stores the code request for this tab. A phone may drop the page while the person looks up the
 * code in another app. A second request would make the code useless that they have just read.
 */
export function storeSentCode(sent: SentCode | undefined): void {
  writeStored("sessionStorage", KEY, sent && JSON.stringify(sent));
}

export function storedSentCode(nowMs: number): SentCode | undefined {
  const stored = readStored("sessionStorage", KEY);
  const code = stored ? (JSON.parse(stored) as SentCode) : undefined;
  return code && code.expiresAtMs > nowMs ? code : undefined;
}
