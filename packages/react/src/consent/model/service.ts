import { HttpError, type Problem } from "@musette/client/http";
import type {
  ConsentList,
  Submission,
  SubmissionAnswer,
  Term,
  TermsQuery,
} from "@musette/client/terms";
import { term } from "../consent-stage";

export interface Recorded {
  readonly key: string;
  readonly submission: Submission;
  readonly answer: SubmissionAnswer;
}

const WEEK_MS = 7 * 24 * 3600_000;
const CACHE_MS = 60_000;

export function httpError(status: number, code: string): HttpError {
  return new HttpError(new Response(null, { status }), { code, status } as Problem);
}

/** A fake service. It behaves like the real one as far as the screen can observe, and it has the correct time. */
export class Service {
  /** The correct time, independent of the phone's clock. */
  nowMs: () => number;
  terms: readonly Term[] = [term(1), term(2), term(3, { mandatory: false })];
  readonly log: Recorded[] = [];
  private readonly keys = new Map<string, { readonly body: string; readonly atMs: number }>();
  private cached: { readonly atMs: number; readonly terms: readonly Term[] } | undefined;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Returns the terms through a simulated HTTP cache, unless `fresh` is set. */
  list({ fresh }: TermsQuery): readonly Term[] {
    if (fresh || !this.cached || this.nowMs() - this.cached.atMs > CACHE_MS)
      this.cached = { atMs: this.nowMs(), terms: this.terms };
    return this.cached.terms;
  }

  publish(): void {
    const [first, second, third] = this.terms as [Term, Term, Term];
    const next = { ...second, id: second.id + 10, replaces: second.id };
    this.terms = [first, next, third];
  }

  latest(userId: string): ReadonlyMap<number, boolean> {
    const own = this.log.filter(({ submission }) => submission.user_id === userId);
    return new Map(
      own.flatMap(({ submission }) =>
        submission.consents.map(
          (entry) => [entry.terms_and_conditions_id, entry.accepted] as const,
        ),
      ),
    );
  }

  consents(user_id: string): ConsentList {
    const consents = [...this.latest(user_id)].map(([id, accepted]) => ({
      terms_and_conditions_id: id,
      accepted,
      consented_at: "",
    }));
    return { user_id, user_type: "RIDER", consents };
  }

  record(submission: Submission, key: string): SubmissionAnswer {
    const body = JSON.stringify(submission);
    const existing = this.keys.get(key);
    if (existing && this.nowMs() - existing.atMs < WEEK_MS) {
      if (existing.body !== body) throw httpError(422, "idempotency_key_reused");
      return (this.log.find((entry) => entry.key === key) as Recorded).answer;
    }
    const ids = this.terms.map(({ id }) => id);
    if (submission.consents.some((entry) => !ids.includes(entry.terms_and_conditions_id)))
      throw httpError(409, "terms_changed");
    const before = this.latest(submission.user_id);
    for (const { id, mandatory } of this.terms) {
      const entry = submission.consents.find((one) => one.terms_and_conditions_id === id);
      if (mandatory && !(entry?.accepted ?? before.get(id)))
        throw httpError(422, "mandatory_term_missing");
    }
    const answer = {
      user_id: submission.user_id,
      user_type: submission.user_type,
      consents: submission.consents,
      recorded_at: new Date(this.nowMs()).toISOString(),
      receipt: { id: `receipt of ${key}` },
    };
    this.keys.set(key, { body, atMs: this.nowMs() });
    this.log.push({ key, submission, answer });
    return answer;
  }
}
