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
  /** The earlier decisions. Undefined until a fetch has succeeded. */
  readonly known: EarlierConsents | undefined;
  /** Whether the first response is still pending. The list waits for it. */
  readonly waiting: boolean;
  /** Fetches the decisions again. */
  retry(): void;
  /** Fetches the decisions and returns them. Undefined for an applicant, who has no account on the server. */
  readonly fetchAgain: (() => Promise<EarlierConsents>) | undefined;
  /** Stores newer decisions. Undefined means that a fetch failed, so that the stored ones may be outdated. */
  store(consents: EarlierConsents | undefined): void;
}

let screens = 0;

/**
 * Fetches the earlier decisions of the user. Does not use responses of an earlier screen, because the
 * decisions may have changed since then.
 */
export function useEarlier(
  source: TermsSource,
  userId: string | undefined,
  onSlow: () => void,
): Earlier {
  const [screen] = useState(() => ++screens);
  // After a failed fetch, the response before it may be outdated.
  const [isOutdated, setIsOutdated] = useState(false);
  const fetch = async () => earlierConsents(asConsents(await source.fetchConsents(userId ?? "")));
  const response = useRead(userId ? ["musette/consents", screen, ...source.scope, userId] : null, {
    fetch,
    onSlow,
    onAnswered: () => setIsOutdated(false),
  });
  const none = useMemo(() => earlierConsents(defaultConsentList(userId).consents), [userId]);
  const consents = userId ? (isOutdated ? undefined : response.data) : none;
  return {
    known: consents,
    waiting: response.isFetching && !response.data && !response.error,
    retry: () => void response.refetch(),
    fetchAgain: userId ? fetch : undefined,
    store: (newer) => {
      setIsOutdated(!newer);
      if (newer) response.store(newer);
    },
  };
}
