import type { Failure, Submission } from "@musette/client/terms";
import { useEffect, useRef, useState } from "react";
import type { SenderCallbacks, SubmissionOwner, SubmissionSender } from "./submission-sender";
import type { SubmissionState } from "./submission-state";
import type { Deferred, DeferredParts } from "./use-deferred";

const unreachable: Failure = { kind: "offline", final: false };

/** The state of the sender, which is created when its module has loaded. */
export function useSubmission(
  { deferred, ask }: DeferredParts,
  owner: SubmissionOwner,
  callbacks: SenderCallbacks,
) {
  const [state, setState] = useState<SubmissionState>({ phase: "checking" });
  const sender = useRef<SubmissionSender>(undefined);
  const latest = useRef(callbacks);
  useEffect(() => {
    latest.current = callbacks;
  });

  function senderOf(parts: Deferred): SubmissionSender {
    if (sender.current) return sender.current;
    sender.current = new parts.SubmissionSender(owner, () => latest.current, setState);
    sender.current.start();
    return sender.current;
  }

  const { userId, termsType, market, baseUrl } = owner;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whose it is, and where it goes
  useEffect(() => {
    if (!deferred) return;
    senderOf(deferred);
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
    const parts = await ask().catch(() => undefined);
    if (parts) return senderOf(parts).send(decision, () => prepare(parts));
    setState({ phase: "failed", failure: unreachable });
  }

  // Without the module, nothing that is pending can be looked for.
  const shown: SubmissionState =
    deferred === null && state.phase === "checking" ? { phase: "idle" } : state;
  return { state: shown, sender: () => sender.current, send };
}
