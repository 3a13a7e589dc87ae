import {
  type Agreement,
  buildSubmission,
  declinedTerms,
  type EarlierConsents,
  isTicked,
  missingMandatory,
  type Submission,
  type SubmissionInput,
} from "@musette/client/terms";
import type { Earlier } from "./use-earlier";

/** Equal to SWR's `loadingTimeout`. */
const TIMEOUT_MS = 3_000;

/** Fetches the earlier consents once more, unless the fetch before has failed. */
async function refetch({
  known,
  fetchAgain,
  store,
}: Earlier): Promise<EarlierConsents | undefined> {
  if (!known || !fetchAgain) return known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  });
  const consents = await Promise.race([fetchAgain().catch(() => undefined), timeout]);
  clearTimeout(timer);
  store(consents);
  return consents;
}

/**
 * Builds the submission that the user confirmed. Terms that the user did not touch are sent with their
 * earlier decision. It is fetched once more, because the user may have withdrawn it on another device.
 * Returns undefined if the ticks on the screen differ from the submission. The screen then shows the new
 * ticks, and the user must press the button again.
 */
export async function prepareSubmission(
  input: Omit<SubmissionInput, "earlierKnown" | "consentedAt">,
  earlier: Earlier,
): Promise<Submission | undefined> {
  const { terms } = input;
  // The time of the press, taken before the fetch below.
  const consentedAt = new Date();
  const current = await refetch(earlier);
  const agreement: Agreement = {
    choices: input.agreement.choices,
    earlier: current?.accepted ?? new Set(),
    declined: declinedTerms(terms, current),
  };
  const isUnchanged = terms.every(
    ({ id }) => isTicked(agreement, id) === isTicked(input.agreement, id),
  );
  if (!isUnchanged || missingMandatory(terms, agreement).length > 0) return undefined;
  return buildSubmission({ ...input, agreement, earlierKnown: !!current, consentedAt });
}
