import { isOffline } from "@musette/client/terms";
import { session } from "../session/session";
import { settleAll } from "./settle";
import { termsClient } from "./terms-client";
import { CHANNEL } from "./worker-messages";

let running = false;

async function settleHere(language: string): Promise<void> {
  if (running || isOffline()) return;
  running = true;
  try {
    const { userId } = session.getState();
    for (const whose of new Set([userId, undefined])) {
      const { submitConsents } = termsClient(language, whose);
      await settleAll(whose, submitConsents);
    }
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage("settled");
    channel.close();
  } finally {
    running = false;
  }
}

/** On return: when the app is opened, comes to the front, or finds a network again. */
export function startSending(language: () => string): void {
  const send = () => {
    if (document.visibilityState === "visible") settleHere(language()).catch(() => undefined);
  };
  addEventListener("online", send);
  addEventListener("pageshow", send);
  document.addEventListener("visibilitychange", send);
  // The page may have been shown before its texts were there.
  send();
}
