import { type ReactNode, useState } from "react";
import { FailureText } from "../loading/states";

/** Runs a change of the push messages, and says if it failed. */
export function useTurnPush() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  async function turn(change: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await change();
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  }

  const failure: ReactNode = error !== undefined && <FailureText error={error} />;
  return { busy, failure, turn };
}
