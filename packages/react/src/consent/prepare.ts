import {
  type Agreement,
  buildSubmission,
  type EarlierConsents,
  heldTerms,
  isTicked,
  missingMandatory,
  type Submission,
  type SubmissionInput,
} from "@musette/client/terms";
import type { Earlier } from "./use-earlier";

/** The time after which SWR calls a load slow. */
const PATIENCE_MS = 3_000;

/** What stands now. Where it was not known before, nobody is kept waiting for it. */
async function askAgain({ known, ask, learn }: Earlier): Promise<EarlierConsents | undefined> {
  if (!known || !ask) return known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  const answer = await Promise.race([ask().catch(() => undefined), late]);
  clearTimeout(timer);
  learn(answer);
  return answer;
}

/**
 * What the person confirmed, as a submission. Terms that they left alone are sent as they stand, so
 * that is asked once more: they may have withdrawn something on another device. Undefined when the
 * ticks on the screen are not what would be sent now: then they are drawn anew, and pressed again.
 */
export async function prepareSubmission(
  input: Omit<SubmissionInput, "earlierKnown" | "consentedAt">,
  earlier: Earlier,
): Promise<Submission | undefined> {
  const { terms } = input;
  // What the person pressed, when they pressed it; not when the question below was answered.
  const consentedAt = new Date();
  const now = await askAgain(earlier);
  const agreement: Agreement = {
    choices: input.agreement.choices,
    earlier: now?.accepted ?? new Set(),
    held: heldTerms(terms, now),
  };
  const same = terms.every(({ id }) => isTicked(agreement, id) === isTicked(input.agreement, id));
  if (!same || missingMandatory(terms, agreement).length > 0) return undefined;
  return buildSubmission({ ...input, agreement, earlierKnown: !!now, consentedAt });
}
