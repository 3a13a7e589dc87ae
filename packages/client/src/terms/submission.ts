import type { Schema } from "../api";
import { type Agreement, choiceOf, isTicked } from "./agreement";
import { type ConsentList, submittedUserType } from "./consents";
import { learnedClockOffset, withClockOffset } from "./device-clock";
import type { Term } from "./term";

/** A decision on one term, with the evidence of the device about how the user took it. */
export type SubmittedConsent = Schema<"EntryBody">;

/** The body of a submission. The server records all of its decisions or none. */
export type Submission = Schema<"SubmissionBody">;

/** The receipt of a submission. A host that submits by itself may provide only the id. */
export interface Receipt
  extends Pick<Schema<"Receipt">, "id">,
    Partial<Omit<Schema<"Receipt">, "id">> {}

/** The response to a submission: the recorded decisions and the receipt. */
export interface SubmissionAnswer extends ConsentList {
  /** The time of the record by the server's clock. */
  readonly recorded_at: string;
  readonly receipt: Receipt;
}

/** What the user has seen of one document in this visit. */
export interface Reading {
  /** Whether a page of the document, or its text, was rendered on the screen. */
  readonly opened: boolean;
  /** The highest page that was rendered while in view. Earlier pages may not have been in view. */
  readonly lastPage?: number;
}

/** The input of `buildSubmission`. */
export interface SubmissionInput {
  readonly userId: string | undefined;
  /** The market of an applicant. Ignored with a user id. */
  readonly market?: string | undefined;
  readonly terms: readonly Term[];
  readonly agreement: Agreement;
  /** False if the earlier decisions of the user could not be loaded. Default `true`. */
  readonly earlierKnown?: boolean;
  readonly readings: ReadonlyMap<number, Reading>;
  /** The time of the decision by the device's clock. */
  readonly consentedAt: Date;
  readonly locale?: string | undefined;
  readonly app?: string | undefined;
}

/**
 * Builds a submission with one entry per term, ticked or not, and the evidence of the device. A term that
 * the user did not touch is sent with its earlier decision. If earlier decisions are not known, an optional
 * term without a tick has no entry, because the user has not decided on it. Times are corrected by the
 * offset between the device's clock and the server's, if it is known.
 *
 * @example
 * const body = buildSubmission({ userId, terms, agreement, readings: new Map(), consentedAt: new Date() });
 * await client.submitConsents(body, { idempotencyKey: newIdempotencyKey() });
 */
export function buildSubmission(input: SubmissionInput): Submission {
  const { userId, market, terms, earlierKnown = true } = input;
  const offsetMs = learnedClockOffset();
  const included = terms.filter(
    (term) => term.mandatory || earlierKnown || choiceOf(input.agreement, term.id)?.accepted,
  );
  const submission: Submission = {
    user_id: userId ?? "",
    user_type: submittedUserType(userId),
    consents: included.map((term) => entryOf(term, input)),
    ...(market && !userId && { market }),
    ...(input.locale && { locale: input.locale.slice(0, 35) }),
    ...(input.app && { app: input.app.slice(0, 200) }),
  };
  return offsetMs ? withClockOffset(submission, offsetMs) : submission;
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

/** Returns a key of 128 random bits. Works on insecure pages, which lack `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
