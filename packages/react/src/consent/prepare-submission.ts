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

/** Equals SWR's `loadingTimeout`. */
const TIMEOUT_MS = 3_000;

/** Fetches the earlier consents once more; not if they could not be fetched before. */
async function refetch({ known, ask, learn }: Earlier): Promise<EarlierConsents | undefined> {
  if (!known || !ask) return known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  });
  const answer = await Promise.race([ask().catch(() => undefined), late]);
  clearTimeout(timer);
  learn(answer);
  return answer;
}

/**
 * Builds the submission of what the person confirmed. Terms that they did not touch are sent with their
 * earlier decision, so that is fetched once more: they may have withdrawn it on another device. Returns
 * undefined if the ticks on the screen differ from what would be sent: the screen then shows the new
 * ticks, and the person presses again.
 */
export async function prepareSubmission(
  input: Omit<SubmissionInput, "earlierKnown" | "consentedAt">,
  earlier: Earlier,
): Promise<Submission | undefined> {
  const { terms } = input;
  // The time of the press, not of the answer below.
  const consentedAt = new Date();
  const now = await refetch(earlier);
  const agreement: Agreement = {
    choices: input.agreement.choices,
    earlier: now?.accepted ?? new Set(),
    held: heldTerms(terms, now),
  };
  const same = terms.every(({ id }) => isTicked(agreement, id) === isTicked(input.agreement, id));
  if (!same || missingMandatory(terms, agreement).length > 0) return undefined;
  return buildSubmission({ ...input, agreement, earlierKnown: !!now, consentedAt });
}
