import {
  type Failure,
  forgetPending,
  isExpired,
  keepPending,
  type PendingSubmission,
  replayPending,
  type SubmissionAnswer,
  type Term,
} from "@musette/client/terms";
import { useEffect, useRef, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { createAttempt, type Decider, isToAgree, waitingAttempt } from "./decide";
import { termsClient } from "./terms-client";

/** The state of a press of the switch; `accepted` is what it was pressed to, `at` when. */
export type DecisionState = { readonly accepted: boolean; readonly at: number } & (
  | { readonly phase: "sending" | "recorded" | "expired" }
  | { readonly phase: "failed"; readonly failure: Failure }
);

/**
 * Sends the presses of one switch to the server. Each press is stored on the device before it is
 * sent. After a lost answer and a reload it is sent again, and recorded once.
 */
export function useDecision(
  term: Term,
  by: Omit<Decider, "locale">,
  onDecided: (answer: SubmissionAnswer) => void,
) {
  const { language } = usePageLanguage();
  const [state, setState] = useState<DecisionState>();
  const busy = useRef(false);

  async function deliver(attempt: PendingSubmission, pressed: boolean): Promise<void> {
    const of = { accepted: isToAgree(attempt), at: attempt.at };
    setState({ ...of, phase: "sending" });
    const submit = termsClient(language.tag, by.userId).submitConsents;
    let outcome = await replayPending(attempt, submit);
    if (outcome.state === "gone" && pressed) {
      // Another tab settled it, or the storage was cleared. The server recognises it by its key.
      await keepPending(attempt);
      outcome = await replayPending(attempt, submit);
    }
    if (outcome.state === "gone") return setState(undefined);
    if (outcome.state === "expired") return setState({ ...of, phase: "expired" });
    if (outcome.state !== "recorded")
      return setState({ ...of, phase: "failed", failure: outcome.failure });
    setState({ ...of, phase: "recorded" });
    onDecided(outcome.answer);
    await forgetPending(attempt);
  }

  /** One at a time: a second tap may come before the first one is rendered. */
  async function oneAtATime(work: () => Promise<void>): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    try {
      await work();
    } finally {
      busy.current = false;
    }
  }

  function press(accepted: boolean): void {
    oneAtATime(async () => {
      const at = new Date();
      setState({ accepted, at: at.getTime(), phase: "sending" });
      const waiting = await waitingAttempt(term.id, by);
      if (waiting && isToAgree(waiting) === accepted && !isExpired(waiting, at))
        return deliver(waiting, true);
      const next = createAttempt(accepted, term, { ...by, locale: language.tag }, at);
      await keepPending(next, waiting?.key);
      await deliver(next, true);
    });
  }

  /** Sends the waiting press again, which may be one of an earlier page. */
  function resume(): void {
    oneAtATime(async () => {
      const waiting = await waitingAttempt(term.id, by);
      if (waiting) await deliver(waiting, false);
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: whose it is and what it is about
  useEffect(() => {
    resume();
  }, [term.id, by.userId, by.receiptId]);

  const isOpen = state?.phase === "failed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether one waits, and whose it is
  useEffect(() => {
    if (!isOpen) return;
    // The network is back, or the app received the answer in the background.
    addEventListener("online", resume);
    return () => removeEventListener("online", resume);
  }, [isOpen, term.id, by.userId, by.receiptId]);

  return { state, press };
}
