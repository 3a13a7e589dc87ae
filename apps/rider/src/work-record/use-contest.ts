import {
  failureOf,
  forgetPending,
  isExpired,
  keepPending,
  replayPending,
} from "@musette/client/terms";
import { useEffect, useRef, useState } from "react";
import { session } from "../session/session";
import { sendWhenOnline } from "../terms/send-when-online";
import { notifyUnanswered } from "../terms/unanswered";
import { CHANNEL } from "../terms/worker-messages";
import {
  type ContestBody,
  contestSender,
  createContest,
  type PendingContest,
  pendingContest,
} from "./contest-queue";

/** What happened to the rider's contest of one evaluation on this device. */
export type ContestProgress =
  | { readonly phase: "none" | "sending" | "recorded" }
  /** `unsent`: only this device has it. `unanswered`: the server may have recorded it. */
  | { readonly phase: "unsent" | "unanswered"; readonly pending: PendingContest }
  | { readonly phase: "rejected"; readonly code: string; readonly body: ContestBody };

const bodyOf = ({ body }: PendingContest): ContestBody => JSON.parse(body);

/** Returns the progress of a stored contest. Removes one that has an answer. */
async function progressOf(pending: PendingContest | undefined): Promise<ContestProgress> {
  if (!pending) return { phase: "none" };
  const { settled, unsent } = pending;
  if (settled || isExpired(pending, new Date())) {
    await forgetPending(pending);
    if (settled && "answer" in settled && settled.answer.state === "recorded")
      return { phase: "recorded" };
    const code = settled && "answer" in settled && "code" in settled.answer && settled.answer.code;
    return { phase: "rejected", code: code || "expired", body: bodyOf(pending) };
  }
  return { phase: unsent ? "unsent" : "unanswered", pending };
}

/** Sends a stored contest, and asks the browser to send it later if there is no answer. */
async function deliver(pending: PendingContest): Promise<ContestProgress> {
  const send = contestSender(pending, session.fetch);
  const outcome = await replayPending(pending, async (body: ContestBody, options) => {
    try {
      return await send(body, options);
    } catch (error) {
      const { kind, seconds } = failureOf(error);
      sendWhenOnline().catch(() => undefined);
      if (kind !== "signedOut") notifyUnanswered(seconds);
      throw error;
    }
  });
  const { userId, termsType: id } = pending;
  switch (outcome.state) {
    case "recorded": {
      await forgetPending(pending);
      const { answer } = outcome;
      return answer.state === "recorded"
        ? { phase: "recorded" }
        : { phase: "rejected", code: answer.code, body: bodyOf(pending) };
    }
    case "refused":
    case "expired":
      await forgetPending(pending);
      return { phase: "rejected", code: outcome.state, body: bodyOf(pending) };
    case "gone":
    case "unanswered":
      return progressOf(await pendingContest(userId, id));
  }
}

/**
 * Sends a contest once. It is stored on the device first, so that it survives a reload, a lost answer and
 * a dead battery. `onDone` is called after the server has recorded it.
 */
export function useContest(userId: string, id: string, onDone: () => void) {
  const [progress, setProgress] = useState<ContestProgress>();
  const onRecorded = useRef(onDone);
  onRecorded.current = onDone;
  const busy = useRef(false);

  function show(next: ContestProgress): void {
    setProgress(next);
    if (next.phase === "recorded") onRecorded.current();
  }

  useEffect(() => {
    let current = true;
    async function look(): Promise<void> {
      if (busy.current) return;
      const next = await progressOf(await pendingContest(userId, id));
      if (!current || busy.current) return;
      setProgress((last) => {
        // A rejection was removed from the device when it was shown first.
        return last?.phase === "rejected" && next.phase === "none" ? last : next;
      });
      if (next.phase === "recorded") onRecorded.current();
    }
    look();
    const settled = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);
    settled?.addEventListener("message", look);
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", look);
    return () => {
      current = false;
      settled?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", look);
    };
  }, [userId, id]);

  async function oneAtATime(work: () => Promise<ContestProgress>): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setProgress({ phase: "sending" });
    try {
      show(await work());
    } finally {
      busy.current = false;
    }
  }

  return {
    progress,
    contest: (body: ContestBody) =>
      oneAtATime(async () => {
        const waiting = await pendingContest(userId, id);
        const pending = createContest(userId, id, body, new Date());
        await keepPending(pending, waiting?.key);
        return deliver(pending);
      }),
    retry: (pending: PendingContest) => oneAtATime(() => deliver(pending)),
    /** Removes a contest that was never sent. */
    takeBack: (pending: PendingContest) =>
      oneAtATime(async () => {
        const current = await pendingContest(userId, id);
        if (current?.key !== pending.key || !current.unsent) return progressOf(current);
        await forgetPending(pending);
        return { phase: "none" };
      }),
  };
}
