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

/** After this time without an answer the screen says so, and offers to try again. */
const SLOW_MS = 15_000;

export interface SenderCallbacks {
  /** How to call the server, unless the host submits by its own means. */
  calls: Pick<TermsConsentProps, "baseUrl" | "fetch" | "locale" | "submitConsents">;
  /** The submission is recorded, and it is this person's. */
  onSaved(answer: SubmissionAnswer): void;
  /** The server said that the terms have changed. */
  onChanged(): Promise<unknown>;
  /** Another person may hold the phone now. */
  onGone(): void;
}

export type SubmissionOwner = TermsQuery & { readonly baseUrl: string | undefined };

interface Attempt {
  readonly pending: PendingSubmission;
  /** What the person decided; undefined for one of an earlier screen, which any decision replaces. */
  readonly decision?: string;
}

/**
 * Sends the submissions of one screen of one person, each recorded once. An answer can be lost after
 * the server has recorded the decision. So the same decision is sent again with the same idempotency
 * key and the same bytes, also after a reload; a different decision gets a new key.
 */
export class SubmissionSender {
  private readonly visit: string | undefined;
  private readonly passed = new Set<string>();
  private idleTimeout: IdleTimeout | undefined;
  private attempt: Attempt | undefined;
  /** The newest call whose answer is still expected. */
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
    // A rider's submission names the account; an applicant's belongs to the visit.
    this.visit = owner.userId ? undefined : (interruptedVisit() ?? newIdempotencyKey());
  }

  /** Finds submissions that are pending from before, and sends them first. */
  start(): void {
    if (this.visit) beginVisit(this.visit);
    this.idleTimeout = startIdleTimeout(!this.owner.userId, () => this.callbacks().onGone());
    globalThis.addEventListener?.("online", this.retry);
    this.checked = this.next();
  }

  /** Ends the visit: answers that come later may belong to another person, and are not shown. */
  close(): void {
    this.closed = true;
    this.idleTimeout?.stop();
    globalThis.removeEventListener?.("online", this.retry);
    if (this.visit) endVisit();
  }

  /** `prepare` returns undefined if the screen showed something else than would be sent. */
  async send(decision: string, prepare: () => Promise<Submission | undefined>): Promise<void> {
    // A double tap calls this twice before the button is rendered as disabled.
    if (this.busy) return;
    this.busy = true;
    try {
      await this.checked;
      if ("pending" in this.current) return this.setState(this.current);
      this.setState({ phase: "sending" });
      // A call in progress could be recorded after a newer decision, and override it.
      if (!this.call && this.attempt?.decision !== decision) {
        const submission = await prepare();
        if (!submission || this.closed)
          return this.setState({ phase: "failed", failure: { kind: "reticked" } });
        await this.keep(decision, submission);
      }
      await this.deliver(this.attempt as Attempt);
    } finally {
      this.busy = false;
    }
  }

  /** Clears the failure message: the ticks changed, so it is about another decision. */
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

  /** What never left this device can be taken back; the screen says so once it is off the disk. */
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

  /** The person confirms that the recorded submission was theirs. */
  confirmOwner(): void {
    if (this.current.phase === "ownerUnknown") this.save(this.current.pending, this.current.answer);
  }

  /** Leaves the pending submission: it is another person's, it expired, or this person decides anew. */
  dismiss(): void {
    const { current } = this;
    if (!("pending" in current)) return;
    this.passed.add(current.pending.key);
    if (current.phase === "expired") forgetPending(current.pending);
    else if (current.phase === "refused") void this.callbacks().onChanged();
    else if (this.isOurs(current.pending)) this.attempt = { pending: current.pending };
    this.checked = this.next();
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

  private isOurs(pending: PendingSubmission): boolean {
    return pending.userId !== "" || isOfVisit(pending, this.visit, new Date());
  }

  private async next(): Promise<void> {
    const found = await findPending({ ...this.owner, market: this.owner.market ?? null });
    const pending = found.find(({ key }) => !this.passed.has(key));
    if (this.closed) return;
    if (pending) await this.replay(pending);
    else this.setState({ phase: "idle" });
  }

  private async replay(pending: PendingSubmission): Promise<void> {
    this.setState({ phase: "replaying", pending });
    const outcome = await replayPending(pending, this.submit);
    if (this.closed) return;
    if (outcome.state === "recorded") {
      if (this.isOurs(pending)) this.save(pending, outcome.answer);
      else this.setState({ phase: "ownerUnknown", pending, answer: outcome.answer });
    } else if (outcome.state === "unanswered") {
      this.setState({ phase: "unanswered", pending, failure: outcome.failure });
    } else if (outcome.state === "expired") {
      this.setState({ phase: "expired", pending });
    } else if (outcome.state === "refused" && this.isOurs(pending)) {
      await this.refused(outcome);
    } else if (outcome.state === "refused" && outcome.failure.kind === "changed") {
      this.setState({ phase: "refused", pending });
    } else {
      await this.next();
    }
  }

  /** Sends the submission again without a tap: the network is back. */
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

  private async keep(decision: string, submission: Submission): Promise<void> {
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

  /** Resolves with the answer, or after `SLOW_MS`; the call goes on then. */
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
    const answered = this.answered(pending, call).finally(() => clearTimeout(timer));
    await Promise.race([answered, slow]);
  }

  private async answered(pending: PendingSubmission, call: object): Promise<void> {
    let outcome = await replayPending(pending, this.submit);
    if (outcome.state === "gone" && this.call === call) {
      // Another tab settled it, or the storage was emptied: the key tells the server which.
      await keepPending(pending);
      outcome = await replayPending(pending, this.submit);
    }
    // The screen was left: the submission stays pending, and is sent again on the next visit.
    if (this.closed || this.call !== call) return;
    this.call = undefined;
    if (outcome.state === "recorded") this.save(pending, outcome.answer);
    else if (outcome.state === "refused") await this.refused(outcome);
    else if (outcome.state === "unanswered")
      this.setState({ phase: "failed", failure: outcome.failure });
    else if (outcome.state === "expired") this.setState({ phase: "expired", pending });
  }

  /** The server refused: the next attempt is a new submission. */
  private async refused({ failure }: PendingOutcome & { state: "refused" }): Promise<void> {
    this.attempt = undefined;
    if (failure.kind === "changed") await this.callbacks().onChanged();
    this.setState({ phase: "failed", failure });
  }

  private save(pending: PendingSubmission, answer: SubmissionAnswer): void {
    // The attempt stays, so that the same decision pressed once more is the same submission.
    this.setState({ phase: "saved" });
    // Not inside a try: an error of the host is not a failed submission. Forgotten only afterwards,
    // because until the host has the receipt, nobody else has.
    this.callbacks().onSaved(answer);
    forgetPending(pending);
  }
}
