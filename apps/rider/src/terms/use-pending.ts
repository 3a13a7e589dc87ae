import { findPending, forgetPending, type PendingSubmission } from "@musette/client/terms";
import { useEffect, useState } from "react";
import { isAnswered } from "./answered";
import { SWITCHES, waitingAttempts } from "./decide";
import { allReceipts, applications } from "./kept-receipts";
import { keepAnswer } from "./terms-client";
import { CHANNEL } from "./worker-messages";

/** A decision of which this person, or somebody on this phone, has not been told what became of it. */
export interface PendingDecision {
  /** Where it is asked about again. */
  readonly at: "/terms" | "/apply" | "/agreements";
  /** `unsent`: only this phone knows of it; `unanswered`: it may be recorded, or not. */
  readonly state: "unsent" | "unanswered" | "refused" | "recorded";
}

/** The first of these is told: what is not known yet comes before what is. */
const FIRST = ["unsent", "unanswered", "refused", "recorded"] as const;

function stateOf({ settled, unsent }: PendingSubmission): PendingDecision["state"] {
  if (settled) return "answer" in settled ? "recorded" : "refused";
  return unsent ? "unsent" : "unanswered";
}

function first(pending: readonly PendingSubmission[]): PendingDecision["state"] | undefined {
  const states = pending.map(stateOf);
  return FIRST.find((state) => states.includes(state));
}

async function unanswered(
  pending: readonly PendingSubmission[],
): Promise<readonly PendingSubmission[]> {
  for (const { userId, settled } of pending) {
    // An account's own: nobody has to be asked whose it was.
    if (userId && settled && "answer" in settled) keepAnswer(settled.answer);
  }
  const receipts = allReceipts();
  const answered = pending.filter((one) => isAnswered(one, receipts));
  await Promise.all(answered.map(forgetPending));
  return pending.filter((one) => !answered.includes(one));
}

/** An applicant's pending switches, but only those that "My agreements" on this phone shows. */
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
 * Whether a decision was made on this device to which no answer was shown, and where to ask again:
 * then nobody may say that nothing was agreed, nor that all is done. Undefined until that has been
 * looked up.
 */
export function usePending(userId: string | undefined): PendingDecision | false | undefined {
  const [found, setFound] = useState<{
    readonly whose?: string;
    readonly is: PendingDecision | false;
  }>();
  useEffect(() => {
    let current = true;
    const know = (is: PendingDecision | false) =>
      current && setFound({ ...(userId && { whose: userId }), is });
    const look = () =>
      pendingOf(userId).then(
        (is) => know(is ?? false),
        () => know(false),
      );
    look();
    const settled = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);
    settled?.addEventListener("message", look);
    // Another tab, or this page before it was left, may have had the answer meanwhile.
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", look);
    return () => {
      current = false;
      settled?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", look);
    };
  }, [userId]);
  return found && found.whose === userId ? found.is : undefined;
}
