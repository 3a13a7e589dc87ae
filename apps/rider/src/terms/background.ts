import { isOffline } from "@musette/client/terms";
import { session } from "../session/session";
import { settleAll } from "./settle";
import { termsClient } from "./terms-client";
import { onUnanswered } from "./unanswered";
import { CHANNEL } from "./worker-messages";

/**
 * The first delay before an unanswered submission is sent again. It doubles each time, up to a
 * minute.
 */
const RETRY_MS = 2_000;
/** The delay after a tap. The screen says next to the error that it is sent again. */
const RETRY_AFTER_TAP_MS = 5_000;
const RETRY_MAX_MS = 60_000;

/** Sends a rider's pending submissions of other subjects. Resolves to whether all have an answer. */
type SettleOthers = (userId: string) => Promise<boolean>;

let running = false;

/**
 * Sends the pending submissions and returns whether any remain, which may be answered before the
 * network changes; undefined if nothing could be sent.
 */
async function settlePendingHere(
  language: string,
  settleOthers: SettleOthers,
): Promise<"left" | "settled" | undefined> {
  if (running || isOffline()) return undefined;
  running = true;
  let isLeft = false;
  try {
    const { userId } = session.getState();
    for (const whose of new Set([userId, undefined])) {
      const { submitConsents } = termsClient(language, whose);
      if (!(await settleAll(whose, submitConsents))) isLeft = true;
    }
    if (userId && !(await settleOthers(userId))) isLeft = true;
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage("settled");
    channel.close();
  } finally {
    running = false;
  }
  return isLeft ? "left" : "settled";
}

/**
 * Sends pending submissions when the app is opened, comes to the front, or has a network again.
 * Retries after a delay if there was no answer, for example because the server was still processing
 * a submission of a page that was closed meanwhile.
 */
export function startSending(
  language: () => string,
  settleOthers: SettleOthers = async () => true,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;
  let isAwaited = false;
  let isTelling = false;
  const sendAfter = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(
      async () => {
        if (document.visibilityState !== "visible") return;
        const outcome = await settlePendingHere(language(), settleOthers).catch(() => "left");
        if (outcome === "left") sendAfter(Math.min(Math.max(ms * 2, RETRY_MS), RETRY_MAX_MS));
        if (outcome === "settled" && isAwaited) tellScreen();
      },
      Math.max(ms, notBefore - Date.now()),
    );
  };
  /** The consent screen checks again on `online`, and finds the answer that is stored by now. */
  const tellScreen = () => {
    isAwaited = false;
    isTelling = true;
    dispatchEvent(new Event("online"));
    isTelling = false;
  };
  const send = () => {
    if (!isTelling) sendAfter(0);
  };
  onUnanswered((seconds) => {
    notBefore = Date.now() + seconds * 1000;
    isAwaited = true;
    // A run in progress schedules its own next attempt.
    if (!running) sendAfter(RETRY_AFTER_TAP_MS);
  });
  addEventListener("online", send);
  addEventListener("pageshow", send);
  document.addEventListener("visibilitychange", send);
  // The page may have been shown before its texts were loaded.
  send();
}
