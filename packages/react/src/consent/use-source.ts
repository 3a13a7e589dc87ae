import { createConsentReads } from "@musette/client/terms";
import { useMemo, useState } from "react";
import type { TermsConsentProps } from "./props";
import type { TermsSource } from "./terms-source";

let screens = 0;

/** Our own reads, each of which a host may replace. */
export function useSource(props: TermsConsentProps): TermsSource {
  const { baseUrl, fetch, locale, fetchTerms, fetchConsents } = props;
  // What a host fetches by its own means is not what our cache holds under the same names.
  const [own] = useState(() => ++screens);
  return useMemo(() => {
    const reads = createConsentReads({ baseUrl, fetch, locale });
    return {
      scope: [fetchTerms || fetchConsents ? own : 0, baseUrl, locale],
      fetchTerms: fetchTerms ?? reads.fetchTerms,
      fetchConsents: fetchConsents ?? reads.fetchConsents,
    };
  }, [own, baseUrl, fetch, locale, fetchTerms, fetchConsents]);
}
