import {
  asConsents,
  defaultConsentList,
  type EarlierConsents,
  earlierConsents,
} from "@musette/client/terms";
import { useMemo, useState } from "react";
import { useRead } from "../reading/use-read";
import type { TermsSource } from "./terms-source";

export interface Earlier {
  /** Undefined as long as the fetch has not succeeded. */
  readonly known: EarlierConsents | undefined;
  /** The first answer is still expected: the list waits for it. */
  readonly waiting: boolean;
  retry(): void;
  /** Fetches once more; undefined for an applicant, whom the server does not know. */
  readonly ask: (() => Promise<EarlierConsents>) | undefined;
  /** Stores a newer answer; undefined if the fetch failed, which makes the earlier answer doubtful. */
  learn(answer: EarlierConsents | undefined): void;
}

let screens = 0;

/**
 * Fetches what this person decided earlier. Never from a cache that an earlier screen filled: the
 * decisions may have changed since then.
 */
export function useEarlier(
  source: TermsSource,
  userId: string | undefined,
  onSlow: () => void,
): Earlier {
  const [own] = useState(() => ++screens);
  // After a failed fetch, the answer before it may be out of date.
  const [doubted, setDoubted] = useState(false);
  const fetch = async () => earlierConsents(asConsents(await source.fetchConsents(userId ?? "")));
  const answer = useRead(userId ? ["musette/consents", own, ...source.scope, userId] : null, {
    fetch,
    onSlow,
    onAnswered: () => setDoubted(false),
  });
  const none = useMemo(() => earlierConsents(defaultConsentList(userId).consents), [userId]);
  const known = userId ? (doubted ? undefined : answer.data) : none;
  return {
    known,
    waiting: answer.isFetching && !answer.data && !answer.error,
    retry: () => void answer.refetch(),
    ask: userId ? fetch : undefined,
    learn: (consents) => {
      setDoubted(!consents);
      if (consents) answer.learn(consents);
    },
  };
}
