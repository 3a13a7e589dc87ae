import { isOffline } from "@musette/client/terms";
import { session } from "../session/session";
import { settleAll } from "./settle";
import { termsClient } from "./terms-client";
import { CHANNEL } from "./worker-messages";

/** How soon it is asked again about what has no answer; twice as long each time, up to a minute. */
const AGAIN_MS = 2_000;
const LATEST_AGAIN_MS = 60_000;

let running = false;

/** Whether there is anything left that may be answered before the network changes. */
async function settleHere(language: string): Promise<boolean> {
  if (running || isOffline()) return false;
  running = true;
  let isLeft = false;
  try {
    const { userId } = session.getState();
    for (const whose of new Set([userId, undefined])) {
      const { submitConsents } = termsClient(language, whose);
      if (!(await settleAll(whose, submitConsents))) isLeft = true;
    }
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage("settled");
    channel.close();
  } finally {
    running = false;
  }
  return isLeft;
}

/**
 * On return: when the app is opened, comes to the front, or finds a network again. And again after a while if there was
 * no answer, such as when the server was still at work on what a page had sent that was left meanwhile.
 */
export function startSending(language: () => string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendAfter = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (document.visibilityState !== "visible") return;
      const isLeft = await settleHere(language()).catch(() => true);
      if (isLeft) sendAfter(Math.min(Math.max(ms * 2, AGAIN_MS), LATEST_AGAIN_MS));
    }, ms);
  };
  const send = () => sendAfter(0);
  addEventListener("online", send);
  addEventListener("pageshow", send);
  document.addEventListener("visibilitychange", send);
  // The page may have been shown before its texts were there.
  send();
}
