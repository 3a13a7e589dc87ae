import {
  beginVisit,
  createConsentCalls,
  DEFAULT_BASE_URL,
  endVisit,
  findPending,
  forgetPending,
  interruptedVisit,
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
import { type Presence, watchPresence } from "./presence";
import type { TermsConsentProps } from "./props";
import type { SubmissionState } from "./submission-state";

/** After this long without an answer the person is told, and may try again. */
const SLOW_MS = 15_000;

export interface CourierSteps {
  /** How to call the server, unless the host submits by its own means. */
  calls: Pick<TermsConsentProps, "baseUrl" | "fetch" | "locale" | "submitConsents">;
  /** Recorded, and this person's. */
  onSaved(answer: SubmissionAnswer): void;
  /** The server said that the terms have changed. */
  onChanged(): Promise<unknown>;
  /** Another person may hold the phone now. */
  onGone(): void;
}

export type CourierOwner = TermsQuery & { readonly baseUrl: string | undefined };

interface Attempt {
  readonly pending: PendingSubmission;
  /** What the person decided; undefined for one of an earlier screen, which any decision replaces. */
  readonly decision?: string;
}

/**
 * Takes submissions to the server for one screen of one person. An answer can be lost after the
 * decision was recorded: so the same decision goes out again with the same key and the same bytes, also
 * after a reload, and a different one with a new key.
 */
export class Courier {
  private readonly visit: string | undefined;
  private readonly passed = new Set<string>();
  private presence: Presence | undefined;
  private attempt: Attempt | undefined;
  /** The newest call, as long as its answer is waited for. */
  private call: object | undefined;
  private current: SubmissionState = { phase: "checking" };
  private checked: Promise<void> = Promise.resolve();
  private busy = false;
  private closed = false;

  private readonly owner: CourierOwner;
  private readonly steps: () => CourierSteps;
  private readonly onState: (state: SubmissionState) => void;

  constructor(
    owner: CourierOwner,
    steps: () => CourierSteps,
    onState: (state: SubmissionState) => void,
  ) {
    this.owner = owner;
    this.steps = steps;
    this.onState = onState;
    // An account says whose a submission is; an applicant has nothing but the visit.
    this.visit = owner.userId ? undefined : (interruptedVisit() ?? newIdempotencyKey());
  }

  /** Looks for what waits from before, and sends that first. */
  start(): void {
    if (this.visit) beginVisit(this.visit);
    this.presence = watchPresence(!this.owner.userId, () => this.steps().onGone());
    globalThis.addEventListener?.("online", this.again);
    this.checked = this.next();
  }

  /** The person has left, or another one has come: whatever is still answered is not theirs to see. */
  close(): void {
    this.closed = true;
    this.presence?.stop();
    globalThis.removeEventListener?.("online", this.again);
    if (this.visit) endVisit();
  }

  /** `prepare` gives nothing when what was on the screen is not what would be sent. */
  async send(decision: string, prepare: () => Promise<Submission | undefined>): Promise<void> {
    // A double tap comes twice before the button can be drawn as disabled.
    if (this.busy) return;
    this.busy = true;
    try {
      await this.checked;
      if ("pending" in this.current) return this.tell(this.current);
      this.tell({ phase: "sending" });
      // A call that goes on could be recorded after a newer decision, and override it.
      if (!this.call && this.attempt?.decision !== decision) {
        const submission = await prepare();
        if (!submission || this.closed) return this.tell({ phase: "idle" });
        await this.keep(decision, submission);
      }
      await this.deliver(this.attempt as Attempt);
    } finally {
      this.busy = false;
    }
  }

  /** A tick was changed: what was said about the decision before is not about this one. */
  reset(): void {
    if (this.current.phase === "failed" && !this.call) this.tell({ phase: "idle" });
  }

  /** A touch that does not reach the document, such as one inside a frame. */
  touch(): void {
    this.presence?.touch();
  }

  readonly again = (): void => {
    if (this.current.phase === "unanswered") this.checked = this.replay(this.current.pending);
  };

  /** Of a recorded one: the person says that it was theirs. */
  mine(): void {
    if (this.current.phase === "whose") this.save(this.current.pending, this.current.answer);
  }

  /** It was somebody else's, or nothing can be known of it, or this person wants to decide anew. */
  pass(): void {
    const { current } = this;
    if (!("pending" in current)) return;
    this.passed.add(current.pending.key);
    if (current.phase === "expired") forgetPending(current.pending);
    else if (this.isOurs(current.pending)) this.attempt = { pending: current.pending };
    this.checked = this.next();
  }

  private readonly submit: Submit = (...call) => {
    const { calls } = this.steps();
    return (calls.submitConsents ?? createConsentCalls(calls).submitConsents)(...call);
  };

  private tell(state: SubmissionState): void {
    if (this.closed) return;
    this.current = state;
    this.onState(state);
  }

  private isOurs(pending: PendingSubmission): boolean {
    return pending.userId !== "" || isOfVisit(pending, this.visit, new Date());
  }

  private async next(): Promise<void> {
    const found = await findPending(this.owner);
    const pending = found.find(({ key }) => !this.passed.has(key));
    if (this.closed) return;
    if (pending) await this.replay(pending);
    else this.tell({ phase: "idle" });
  }

  private async replay(pending: PendingSubmission): Promise<void> {
    this.tell({ phase: "replaying", pending });
    const outcome = await replayPending(pending, this.submit);
    if (this.closed) return;
    if (outcome.state === "recorded") {
      if (this.isOurs(pending)) this.save(pending, outcome.answer);
      else this.tell({ phase: "whose", pending, answer: outcome.answer });
    } else if (outcome.state === "unanswered") {
      this.tell({ phase: "unanswered", pending, failure: outcome.failure });
    } else if (outcome.state === "expired") {
      this.tell({ phase: "expired", pending });
    } else if (outcome.state === "refused" && this.isOurs(pending)) {
      await this.refused(outcome);
    } else {
      await this.next();
    }
  }

  private async keep(decision: string, submission: Submission): Promise<void> {
    const { userId = "", termsType, baseUrl = DEFAULT_BASE_URL } = this.owner;
    const pending: PendingSubmission = {
      key: newIdempotencyKey(),
      body: JSON.stringify(submission),
      userId,
      termsType,
      baseUrl,
      at: Date.now(),
      ...(this.visit && { visit: this.visit }),
    };
    await keepPending(pending, this.attempt?.pending.key);
    this.attempt = { pending, decision };
  }

  /** Until an answer comes, or for so long that the person should not be kept waiting for it. */
  private async deliver({ pending }: Attempt): Promise<void> {
    const call = {};
    this.call = call;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        if (this.call === call) this.tell({ phase: "failed", failure: { kind: "slow" } });
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
    // Left meanwhile: it stays pending, and is asked about when somebody comes back.
    if (this.closed || this.call !== call) return;
    this.call = undefined;
    if (outcome.state === "recorded") this.save(pending, outcome.answer);
    else if (outcome.state === "refused") await this.refused(outcome);
    else if (outcome.state === "unanswered")
      this.tell({ phase: "failed", failure: outcome.failure });
    else if (outcome.state === "expired") this.tell({ phase: "expired", pending });
  }

  /** What is sent next is another submission. */
  private async refused({ failure }: PendingOutcome & { state: "refused" }): Promise<void> {
    this.attempt = undefined;
    if (failure.kind === "changed") await this.steps().onChanged();
    this.tell({ phase: "failed", failure });
  }

  private save(pending: PendingSubmission, answer: SubmissionAnswer): void {
    // The attempt stays: the same decision once more, before the host has moved on, is the same one.
    this.tell({ phase: "saved" });
    // Outside of everything that is caught: a fault of the host in here is not one of the submission.
    // Only then forgotten: until the host has it, nobody else knows the receipt.
    this.steps().onSaved(answer);
    forgetPending(pending);
  }
}
