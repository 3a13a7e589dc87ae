import { findPending, forgetPending, type PendingSubmission } from "@musette/client/terms";
import { useEffect, useState } from "react";
import { isAnswered } from "./answered";
import { SWITCHES, waitingAttempts } from "./decide";
import { allReceipts, applications } from "./kept-receipts";

/** Where a decision that waits for an answer is asked about again. */
export type PendingAt = "/terms" | "/apply" | "/agreements";

async function unanswered(
  pending: readonly PendingSubmission[],
): Promise<readonly PendingSubmission[]> {
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

async function pendingAt(userId: string | undefined): Promise<PendingAt | undefined> {
  const all = await findPending({ userId });
  const confirmed = await unanswered(all.filter(({ termsType }) => termsType !== SWITCHES));
  if (confirmed.length > 0) return userId ? "/terms" : "/apply";
  const switches = await unanswered(await waitingSwitches(userId));
  return switches.length > 0 ? "/agreements" : undefined;
}

/**
 * Whether a decision was sent from this device to which no answer is known, and where to ask again:
 * then nobody may say that nothing was agreed, nor that all is done. Undefined until that has been
 * looked up.
 */
export function usePending(userId: string | undefined): PendingAt | false | undefined {
  const [found, setFound] = useState<{ readonly whose?: string; readonly at: PendingAt | false }>();
  useEffect(() => {
    let current = true;
    const know = (at: PendingAt | false) =>
      current && setFound({ ...(userId && { whose: userId }), at });
    const look = () =>
      pendingAt(userId).then(
        (at) => know(at ?? false),
        () => know(false),
      );
    look();
    // Another tab, or this page before it was left, may have had the answer meanwhile.
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", look);
    return () => {
      current = false;
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", look);
    };
  }, [userId]);
  return found && found.whose === userId ? found.at : undefined;
}
