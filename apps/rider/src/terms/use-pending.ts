import { findPending, forgetPending, type PendingSubmission } from "@musette/client/terms";
import { useEffect, useState } from "react";
import { isAnswered } from "./answered";
import { SWITCHES, waitingAttempts } from "./decide";
import { allReceipts, applications } from "./stored-receipts";
import { storeAnswer } from "./terms-client";
import { CHANNEL } from "./worker-messages";

/** A decision of this user, or of a person on this phone, whose result was not shown yet. */
export interface PendingDecision {
  /** The page where the person can try again. */
  readonly at: "/terms" | "/apply" | "/agreements";
  /** `unsent`: only this phone knows of it; `unanswered`: it may be recorded, or not. */
  readonly state: "unsent" | "unanswered" | "refused" | "recorded";
}

/** The order in which states are shown: unknown results first. */
const STATE_ORDER = ["unsent", "unanswered", "refused", "recorded"] as const;

function stateOf({ settled, unsent }: PendingSubmission): PendingDecision["state"] {
  if (settled) return "answer" in settled ? "recorded" : "refused";
  return unsent ? "unsent" : "unanswered";
}

function first(pending: readonly PendingSubmission[]): PendingDecision["state"] | undefined {
  const states = pending.map(stateOf);
  return STATE_ORDER.find((state) => states.includes(state));
}

async function unanswered(
  pending: readonly PendingSubmission[],
): Promise<readonly PendingSubmission[]> {
  for (const { userId, settled } of pending) {
    // The result belongs to an account, so there is no question whose it was.
    if (userId && settled && "answer" in settled) storeAnswer(settled.answer);
  }
  const receipts = allReceipts();
  const answered = pending.filter((one) => isAnswered(one, receipts));
  await Promise.all(answered.map(forgetPending));
  return pending.filter((one) => !answered.includes(one));
}

/** Returns an applicant's pending switches, but only those that "My agreements" on this phone shows. */
async function waitingSwitches(userId: string | undefined): Promise<readonly PendingSubmission[]> {
  if (userId) return waitingAttempts({ userId, receiptId: undefined });
  const [newest] = applications();
  return newest ? waitingAttempts({ userId, receiptId: newest.root }) : [];
}

async function pendingOf(userId: string | undefined): Promise<PendingDecision | undefined> {
  const all = await findPending({ userId });
  const confirmed = first(await unanswered(all.filter(({ termsType }) => termsType !== SWITCHES)));
  if (confirmed) return { at: userId ? "/terms" : "/apply", state: confirmed };
  const switched = first(await unanswered(await waitingSwitches(userId)));
  return switched && { at: "/agreements", state: switched };
}

/**
 * Returns a decision made on this device whose result was not shown, and the page where the person
 * can try again. While there is one, the app must not say that nothing was agreed, or that
 * everything is complete. Undefined until the lookup is finished.
 */
export function usePending(userId: string | undefined): PendingDecision | false | undefined {
  const [result, setResult] = useState<{
    readonly whose?: string;
    readonly is: PendingDecision | false;
  }>();
  useEffect(() => {
    let current = true;
    const know = (is: PendingDecision | false) =>
      current && setResult({ ...(userId && { whose: userId }), is });
    const look = () =>
      pendingOf(userId).then(
        (is) => know(is ?? false),
        () => know(false),
      );
    look();
    const settled = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);
    settled?.addEventListener("message", look);
    // Another tab, or this page before it was closed, may have received the answer meanwhile.
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", look);
    return () => {
      current = false;
      settled?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", look);
    };
  }, [userId]);
  return result && result.whose === userId ? result.is : undefined;
}
