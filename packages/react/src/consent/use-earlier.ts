import {
  asConsents,
  defaultConsentList,
  type EarlierConsents,
  earlierConsents,
} from "@musette/client/terms";
import { useMemo, useState } from "react";
import useSWR from "swr";
import type { TermsSource } from "./terms-source";

export interface Earlier {
  /** Undefined as long as nobody could say. */
  readonly known: EarlierConsents | undefined;
  /** The first answer may still come: worth holding up the list for. */
  readonly waiting: boolean;
  retry(): void;
  /** Asks once more; undefined for an applicant, of whom nothing is known to the server. */
  readonly ask: (() => Promise<EarlierConsents>) | undefined;
  /** What the answer was; undefined when none came, which makes the earlier one doubtful. */
  learn(answer: EarlierConsents | undefined): void;
}

let screens = 0;

/**
 * What this person decided earlier, as this screen was told itself: never from a cache that an earlier
 * screen filled, since the decisions may have changed since then.
 */
export function useEarlier(
  source: TermsSource,
  userId: string | undefined,
  onLoadingSlow: () => void,
): Earlier {
  const [own] = useState(() => ++screens);
  // An answer of before does not tell what stands now, once a later question got none.
  const [doubted, setDoubted] = useState(false);
  const fetch = async () => earlierConsents(asConsents(await source.fetchConsents(userId ?? "")));
  const answer = useSWR(userId ? ["musette/consents", own, ...source.scope, userId] : null, fetch, {
    onLoadingSlow,
    onSuccess: () => setDoubted(false),
  });
  const none = useMemo(() => earlierConsents(defaultConsentList(userId).consents), [userId]);
  const known = userId ? (doubted ? undefined : answer.data) : none;
  return {
    known,
    waiting: answer.isLoading && !answer.error,
    retry: () => void answer.mutate(),
    ask: userId ? fetch : undefined,
    learn: (consents) => {
      setDoubted(!consents);
      if (consents) answer.mutate(consents, { revalidate: false });
    },
  };
}
