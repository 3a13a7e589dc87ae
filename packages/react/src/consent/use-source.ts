import { createConsentCalls } from "@musette/client/terms";
import { useMemo, useState } from "react";
import type { TermsConsentProps } from "./props";
import type { TermsSource } from "./use-terms";

let screens = 0;

/** Our own calls, each of which a host may replace. */
export function useSource(props: TermsConsentProps) {
  const { baseUrl, fetch, locale, fetchTerms, fetchConsents, submitConsents } = props;
  // What a host fetches by its own means is not what our cache holds under the same names.
  const [own] = useState(() => ++screens);
  return useMemo(() => {
    const client = createConsentCalls({ baseUrl, fetch, locale });
    const source: TermsSource = {
      scope: [fetchTerms || fetchConsents ? own : 0, baseUrl, locale],
      fetchTerms: fetchTerms ?? client.fetchTerms,
      fetchConsents: fetchConsents ?? client.fetchConsents,
    };
    return { source, submit: submitConsents ?? client.submitConsents };
  }, [own, baseUrl, fetch, locale, fetchTerms, fetchConsents, submitConsents]);
}
