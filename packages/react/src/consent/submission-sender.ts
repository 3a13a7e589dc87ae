import {
  beginVisit,
  createConsentCalls,
  DEFAULT_BASE_URL,
  endVisit,
  findPending,
  forgetPending,
  interruptedVisit,
  isOffline,
  isOfVisit,
  keepPending,
  newIdempotencyKey,
  type PendingOutcome,
  type PendingSubmission,
  replayPending,
  type Submission,
  type SubmissionAnswer,
  type Submit,
  type TermsQuery,
} from "@musette/client/terms";
import { type IdleTimeout, startIdleTimeout } from "./idle-timeout";
import type { TermsConsentProps } from "./props";
import type { SubmissionState } from "./submission-state";

/** After this time without a response the screen shows a message and offers a retry. */
const SLOW_MS = 15_000;

export interface SenderCallbacks {
  /** The options for calling the server, or the host's own function for submitting. */
  calls: Pick<TermsConsentProps, "baseUrl" | "fetch" | "locale" | "submitConsents">;
  /** Called when a submission of this person is recorded. */
  onSaved(answer: SubmissionAnswer): void;
  /** Called when the server has responded that the terms have changed. */
  onChanged(): Promise<unknown>;
  /** Called when another person may hold the phone. */
  onGone(): void;
}

export type SubmissionOwner = TermsQuery & { readonly baseUrl: string | undefined };

interface Attempt {
  readonly pending: PendingSubmission;
  /** The user's decision. Undefined for a submission of an earlier screen, which any decision replaces. */
  readonly decision?: string;
}

/**
 * Sends the submissions of one screen of one person, so that the server records each of them once. A response
 * can be lost after the server has recorded the decision. The sender therefore sends the same decision again
 * with the same idempotency key and the same bytes, also after a reload. A different decision gets a new key.
 */
export class SubmissionSender {
  private readonly visit: string | undefined;
  private readonly dismissed = new Set<string>();
  private idleTimeout: IdleTimeout | undefined;
  private attempt: Attempt | undefined;
  /** The newest call without a response so far. */
  private call: object | undefined;
  private current: SubmissionState = { phase: "checking" };
  private checked: Promise<void> = Promise.resolve();
  private busy = false;
  private closed = false;

  private readonly owner: SubmissionOwner;
  private readonly callbacks: () => SenderCallbacks;
  private readonly onState: (state: SubmissionState) => void;

  constructor(
    owner: SubmissionOwner,
    callbacks: () => SenderCallbacks,
    onState: (state: SubmissionState) => void,
  ) {
    this.owner = owner;
    this.callbacks = callbacks;
    this.onState = onState;
    // A rider's submission belongs to the account, an applicant's to the visit.
    this.visit = owner.userId ? undefined : (interruptedVisit() ?? newIdempotencyKey());
  }

  /** Finds submissions that are pending from earlier screens, and sends them first. */
  start(): void {
    if (this.visit) beginVisit(this.visit);
    this.idleTimeout = startIdleTimeout(!this.owner.userId, () => this.callbacks().onGone());
    globalThis.addEventListener?.("online", this.retry);
    this.checked = this.replayNext();
  }

  /** Ends the visit. Later responses are not shown, because another person may see the screen by then. */
  close(): void {
    this.closed = true;
    this.idleTimeout?.stop();
    globalThis.removeEventListener?.("online", this.retry);
    if (this.visit) endVisit();
  }

  /** Sends a decision. `prepare` returns undefined if the ticks on the screen differ from the submission. */
  async send(decision: string, prepare: () => Promise<Submission | undefined>): Promise<void> {
    // A double tap calls this twice before the button is rendered as disabled.
    if (this.busy) return;
    this.busy = true;
    try {
      await this.checked;
      if ("pending" in this.current) return this.setState(this.current);
      this.setState({ phase: "sending" });
      // While a call is in progress there is no new decision: the server could record the call later and override it.
      if (!this.call && this.attempt?.decision !== decision) {
        const submission = await prepare();
        if (!submission || this.closed)
          return this.setState({ phase: "failed", failure: { kind: "reticked" } });
        await this.storePending(decision, submission);
      }
      await this.deliver(this.attempt as Attempt);
    } finally {
      this.busy = false;
    }
  }

  /** Clears the failure message after a change of the ticks, because it is about another decision. */
  reset(): void {
    if (this.current.phase === "failed" && !this.call) this.setState({ phase: "idle" });
  }

  /** Reports activity that does not reach the document, such as a touch inside a frame. */
  touch(): void {
    this.idleTimeout?.touch();
  }

  readonly retry = (): void => {
    if (this.current.phase === "unanswered") this.checked = this.replay(this.current.pending);
    else if (this.current.phase === "failed" && this.current.failure.kind !== "reticked")
      void this.resend();
  };

  /** Withdraws a submission that was never sent. The screen changes after it is removed from the disk. */
  async takeBack(): Promise<void> {
    const { attempt, current } = this;
    if (this.busy || !attempt || this.call) return;
    if (current.phase !== "failed" || current.failure.kind !== "unsent") return;
    this.busy = true;
    await forgetPending(attempt.pending);
    this.attempt = undefined;
    this.busy = false;
    this.setState({ phase: "idle" });
  }

  /** Confirms for the user that the recorded submission is theirs. */
  confirmOwner(): void {
    if (this.current.phase === "ownerUnknown") this.save(this.current.pending, this.current.answer);
  }

  /** Skips the pending submission: it belongs to another person, it expired, or the user decides again. */
  dismiss(): void {
    const { current } = this;
    if (!("pending" in current)) return;
    this.dismissed.add(current.pending.key);
    if (current.phase === "expired") forgetPending(current.pending);
    else if (current.phase === "refused") void this.callbacks().onChanged();
    else if (this.belongsToUser(current.pending)) this.attempt = { pending: current.pending };
    this.checked = this.replayNext();
  }

  private readonly submit: Submit = (...call) => {
    const { calls } = this.callbacks();
    return (calls.submitConsents ?? createConsentCalls(calls).submitConsents)(...call);
  };

  private setState(state: SubmissionState): void {
    if (this.closed) return;
    this.current = state;
    this.onState(state);
  }

  private belongsToUser(pending: PendingSubmission): boolean {
    return pending.userId !== "" || isOfVisit(pending, this.visit, new Date());
  }

  private async replayNext(): Promise<void> {
    const submissions = await findPending({ ...this.owner, market: this.owner.market ?? null });
    const pending = submissions.find(({ key }) => !this.dismissed.has(key));
    if (this.closed) return;
    if (pending) await this.replay(pending);
    else this.setState({ phase: "idle" });
  }

  private async replay(pending: PendingSubmission): Promise<void> {
    this.setState({ phase: "replaying", pending });
    const outcome = await replayPending(pending, this.submit);
    if (this.closed) return;
    if (outcome.state === "recorded") {
      if (this.belongsToUser(pending)) this.save(pending, outcome.answer);
      else this.setState({ phase: "ownerUnknown", pending, answer: outcome.answer });
    } else if (outcome.state === "unanswered") {
      this.setState({ phase: "unanswered", pending, failure: outcome.failure });
    } else if (outcome.state === "expired") {
      this.setState({ phase: "expired", pending });
    } else if (outcome.state === "refused" && this.belongsToUser(pending)) {
      await this.handleRejection(outcome);
    } else if (outcome.state === "refused" && outcome.failure.kind === "changed") {
      this.setState({ phase: "refused", pending });
    } else {
      await this.replayNext();
    }
  }

  /** Sends the submission again without a tap after the network is back. */
  private async resend(): Promise<void> {
    const { attempt } = this;
    if (this.busy || this.call || !attempt) return;
    this.busy = true;
    try {
      this.setState({ phase: "sending" });
      await this.deliver(attempt);
    } finally {
      this.busy = false;
    }
  }

  private async storePending(decision: string, submission: Submission): Promise<void> {
    const { userId = "", termsType, market, baseUrl = DEFAULT_BASE_URL } = this.owner;
    const pending: PendingSubmission = {
      key: newIdempotencyKey(),
      body: JSON.stringify(submission),
      userId,
      termsType,
      ...(market && { market }),
      baseUrl,
      at: Date.now(),
      ...(this.visit && { visit: this.visit }),
      ...(isOffline() && { unsent: true }),
    };
    await keepPending(pending, this.attempt?.pending.key);
    this.attempt = { pending, decision };
  }

  /** Sends the submission. Resolves after the response, or after `SLOW_MS` while the call continues. */
  private async deliver({ pending }: Attempt): Promise<void> {
    const call = {};
    this.call = call;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        if (this.call === call) this.setState({ phase: "failed", failure: { kind: "slow" } });
        resolve();
      }, SLOW_MS);
    });
    const response = this.handleOutcome(pending, call).finally(() => clearTimeout(timer));
    await Promise.race([response, slow]);
  }

  private async handleOutcome(pending: PendingSubmission, call: object): Promise<void> {
    let outcome = await replayPending(pending, this.submit);
    if (outcome.state === "gone" && this.call === call) {
      // Another tab has settled it, or the storage was cleared. The server recognizes it by the key.
      await keepPending(pending);
      outcome = await replayPending(pending, this.submit);
    }
    // The screen was closed. The submission stays pending and is sent again on the next visit.
    if (this.closed || this.call !== call) return;
    this.call = undefined;
    if (outcome.state === "recorded") this.save(pending, outcome.answer);
    else if (outcome.state === "refused") await this.handleRejection(outcome);
    else if (outcome.state === "unanswered")
      this.setState({ phase: "failed", failure: outcome.failure });
    else if (outcome.state === "expired") this.setState({ phase: "expired", pending });
  }

  /** Handles a rejection by the server. The next attempt is a new submission. */
  private async handleRejection({ failure }: PendingOutcome & { state: "refused" }): Promise<void> {
    this.attempt = undefined;
    if (failure.kind === "changed") await this.callbacks().onChanged();
    this.setState({ phase: "failed", failure });
  }

  private save(pending: PendingSubmission, answer: SubmissionAnswer): void {
    // Keeps the attempt, so that a second press with the same decision is the same submission.
    this.setState({ phase: "saved" });
    // Not inside a try, because an error of the host is not a failed submission. The submission is removed
    // after the callback, because before that the host does not have the receipt.
    this.callbacks().onSaved(answer);
    forgetPending(pending);
  }
}
