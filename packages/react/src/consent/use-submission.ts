import type { Failure, Submission } from "@musette/client/terms";
import { useEffect, useRef, useState } from "react";
import type { SenderCallbacks, SubmissionOwner, SubmissionSender } from "./submission-sender";
import type { SubmissionState } from "./submission-state";
import type { Deferred, DeferredParts } from "./use-deferred";

const OFFLINE: Failure = { kind: "offline", final: false };

/** Provides the sender and its state. The sender is created when its module has loaded. */
export function useSubmission(
  { deferred, load }: DeferredParts,
  owner: SubmissionOwner,
  callbacks: SenderCallbacks,
) {
  const [state, setState] = useState<SubmissionState>({ phase: "checking" });
  const sender = useRef<SubmissionSender>(undefined);
  const latest = useRef(callbacks);
  useEffect(() => {
    latest.current = callbacks;
  });

  function getOrCreateSender(parts: Deferred): SubmissionSender {
    if (sender.current) return sender.current;
    sender.current = new parts.SubmissionSender(owner, () => latest.current, setState);
    sender.current.start();
    return sender.current;
  }

  const { userId, termsType, market, baseUrl } = owner;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for another owner or address only
  useEffect(() => {
    if (!deferred) return;
    getOrCreateSender(deferred);
    return () => {
      sender.current?.close();
      sender.current = undefined;
    };
  }, [deferred, userId, termsType, market, baseUrl]);

  async function send(
    decision: string,
    prepare: (parts: Deferred) => Promise<Submission | undefined>,
  ): Promise<void> {
    setState({ phase: "sending" });
    const parts = await load().catch(() => undefined);
    if (parts) return getOrCreateSender(parts).send(decision, () => prepare(parts));
    setState({ phase: "failed", failure: OFFLINE });
  }

  // Without the module, the screen cannot check for pending submissions.
  const shownState: SubmissionState =
    deferred === null && state.phase === "checking" ? { phase: "idle" } : state;
  return { state: shownState, sender: () => sender.current, send };
}
