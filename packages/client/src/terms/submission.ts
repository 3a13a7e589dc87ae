import type { Schema } from "../api";
import { type Agreement, choiceOf, isTicked } from "./agreement";
import { type ConsentList, submittedUserType } from "./consents";
import type { Term } from "./term";

/** A decision on one term, with what the device knows about how it was taken. */
export type SubmittedConsent = Schema<"EntryBody">;

/** The body of a submission: decisions that are recorded together or not at all. */
export type Submission = Schema<"SubmissionBody">;

/** The receipt of a submission. A host's own submitting may give its id alone. */
export interface Receipt
  extends Pick<Schema<"Receipt">, "id">,
    Partial<Omit<Schema<"Receipt">, "id">> {}

/** The answer to a submission: the decisions that it recorded, and the receipt. */
export interface SubmissionAnswer extends ConsentList {
  /** When it was recorded, by the server's clock. */
  readonly recorded_at: string;
  readonly receipt: Receipt;
}

/** What the person saw of one document, in this visit. */
export interface Reading {
  /** A page of it, or its text, was drawn on the screen. */
  readonly opened: boolean;
  /** The furthest page that was drawn while it was in view; not that those before it were. */
  readonly lastPage?: number;
}

/** What a submission is built from. */
export interface SubmissionInput {
  readonly userId: string | undefined;
  /** The market of an applicant; left out with a user id. */
  readonly market?: string | undefined;
  readonly terms: readonly Term[];
  readonly agreement: Agreement;
  /** False while nobody could say what this person decided earlier. */
  readonly earlierKnown?: boolean;
  readonly readings: ReadonlyMap<number, Reading>;
  readonly consentedAt: Date;
  readonly locale?: string | undefined;
  readonly app?: string | undefined;
}

/**
 * One entry per term, ticked or not, with what the device can say about how it came about. A term that
 * the person left alone is sent as it already stands. Where that is not known, an optional one has no
 * entry: any would be a decision that nobody took.
 */
export function buildSubmission(input: SubmissionInput): Submission {
  const { userId, market, terms, earlierKnown = true } = input;
  const sent = terms.filter(
    (term) => term.mandatory || earlierKnown || choiceOf(input.agreement, term.id)?.accepted,
  );
  return {
    user_id: userId ?? "",
    user_type: submittedUserType(userId),
    consents: sent.map((term) => entryOf(term, input)),
    ...(market && !userId && { market }),
    ...(input.locale && { locale: input.locale.slice(0, 35) }),
    ...(input.app && { app: input.app.slice(0, 200) }),
  };
}

function entryOf(term: Term, { agreement, readings, consentedAt }: SubmissionInput) {
  const method = choiceOf(agreement, term.id)?.method;
  const reading = readings.get(term.id);
  return {
    accepted: isTicked(agreement, term.id),
    terms_and_conditions_id: term.id,
    consented_at: consentedAt.toISOString(),
    ...(term.sha256 && { sha256: term.sha256 }),
    ...(method && { method }),
    opened: reading?.opened ?? false,
    ...(reading?.lastPage && { last_page: Math.min(reading.lastPage, 10_000) }),
  };
}

/** 128 random bits or more, also where a page is not served securely and lacks `randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
