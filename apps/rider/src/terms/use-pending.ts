import { findPending, forgetPending } from "@musette/client/terms";
import { useEffect, useState } from "react";
import { allReceipts } from "../receipts/kept-receipts";
import { isAnswered } from "./answered";

async function isPending(userId: string | undefined): Promise<boolean> {
  const all = await findPending({ userId });
  const receipts = allReceipts();
  const answered = all.filter((pending) => isAnswered(pending, receipts));
  await Promise.all(answered.map(forgetPending));
  return answered.length < all.length;
}

/**
 * Whether a decision was sent from this device to which no answer is known: then nobody may say that
 * nothing was agreed, nor that all is done. Undefined until that has been looked up.
 */
export function usePending(userId: string | undefined): boolean | undefined {
  const [found, setFound] = useState<{ readonly whose?: string; readonly pending: boolean }>();
  useEffect(() => {
    let current = true;
    const know = (pending: boolean) =>
      current && setFound({ ...(userId && { whose: userId }), pending });
    const look = () => isPending(userId).then(know, () => know(false));
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
  return found && found.whose === userId ? found.pending : undefined;
}
