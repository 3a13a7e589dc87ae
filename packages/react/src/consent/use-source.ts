import { createConsentReads } from "@musette/client/terms";
import { useMemo, useState } from "react";
import type { TermsConsentProps } from "./props";
import type { TermsSource } from "./terms-source";

let screens = 0;

/** Returns the requests of this package. A host may replace each of them. */
export function useSource(props: TermsConsentProps): TermsSource {
  const { baseUrl, fetch, locale, fetchTerms, fetchConsents } = props;
  // Responses of the host's functions are cached per screen, separately from responses of this package.
  const [screen] = useState(() => ++screens);
  return useMemo(() => {
    const reads = createConsentReads({ baseUrl, fetch, locale });
    return {
      scope: [fetchTerms || fetchConsents ? screen : 0, baseUrl, locale],
      fetchTerms: fetchTerms ?? reads.fetchTerms,
      fetchConsents: fetchConsents ?? reads.fetchConsents,
    };
  }, [screen, baseUrl, fetch, locale, fetchTerms, fetchConsents]);
}
