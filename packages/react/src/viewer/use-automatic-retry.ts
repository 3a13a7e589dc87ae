import { useEffect } from "react";

const DELAY_MIN_MS = 2_000;
const DELAY_MAX_MS = 60_000;

/**
 * Retries what has failed when the device is online again, and after a delay that doubles with each attempt,
 * because a phone reports online before its network works.
 */
export function useAutomaticRetry(failed: boolean, attempt: number, retry: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the retry function of an attempt does not change
  useEffect(() => {
    if (!failed) return;
    const delayMs = Math.min(DELAY_MAX_MS, DELAY_MIN_MS * 2 ** attempt);
    const timer = setTimeout(retry, delayMs * (1 + Math.random() / 4));
    addEventListener("online", retry);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", retry);
    };
  }, [failed, attempt]);
}
