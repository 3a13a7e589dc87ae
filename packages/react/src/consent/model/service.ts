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

export function refusal(status: number, code: string): HttpError {
  return new HttpError(new Response(null, { status }), { code, status } as Problem);
}

/** What the real one does with a submission, in as far as the screen can tell; and its true time. */
export class Service {
  /** True time, whatever the phone's clock says. */
  nowMs: () => number;
  terms: readonly Term[] = [term(1), term(2), term(3, { mandatory: false })];
  readonly log: Recorded[] = [];
  private readonly keys = new Map<string, { readonly body: string; readonly atMs: number }>();
  private cached: { readonly atMs: number; readonly terms: readonly Term[] } | undefined;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Through the browser's cache of HTTP, unless it is asked to go past it. */
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
    const known = this.keys.get(key);
    if (known && this.nowMs() - known.atMs < WEEK_MS) {
      if (known.body !== body) throw refusal(422, "idempotency_key_reused");
      return (this.log.find((entry) => entry.key === key) as Recorded).answer;
    }
    const ids = this.terms.map(({ id }) => id);
    if (submission.consents.some((entry) => !ids.includes(entry.terms_and_conditions_id)))
      throw refusal(409, "terms_changed");
    const before = this.latest(submission.user_id);
    for (const { id, mandatory } of this.terms) {
      const entry = submission.consents.find((one) => one.terms_and_conditions_id === id);
      if (mandatory && !(entry?.accepted ?? before.get(id)))
        throw refusal(422, "mandatory_term_missing");
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
