import {
  acceptedBefore,
  asTerms,
  type ConsentList,
  defaultConsentList,
  sortTerms,
  type Term,
  type TermsQuery,
} from "@musette/client/terms";
import { useMemo, useState } from "react";
import useSWR from "swr";

export interface TermsSource {
  /** Tells apart what is kept under the same address but comes from different hands. */
  readonly scope: readonly unknown[];
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
}

export interface LoadedTerms {
  readonly phase: "loading" | "slow" | "failed" | "ready";
  readonly terms: readonly Term[];
  readonly earlier: ReadonlySet<number>;
  /** New since this screen was opened, or since the person last agreed to what they replace. */
  readonly changed: ReadonlySet<number>;
  readonly retrying: boolean;
  reload(): Promise<unknown>;
}

/** The terms in effect and what this person accepted of them, by SWR's own constants. */
export function useTerms(source: TermsSource, query: TermsQuery): LoadedTerms {
  const { userId, termsType } = query;
  const [slow, setSlow] = useState(false);
  const onLoadingSlow = () => setSlow(true);

  const terms = useSWR(
    ["musette/terms", ...source.scope, userId, termsType],
    async () => asTerms(await source.fetchTerms(query)),
    { onLoadingSlow },
  );
  const consents = useSWR(
    userId ? ["musette/consents", ...source.scope, userId] : null,
    () => source.fetchConsents(userId ?? ""),
    { onLoadingSlow },
  );

  const sorted = useMemo(() => sortTerms(terms.data ?? []), [terms.data]);
  const earlier = useMemo(
    () => acceptedBefore((consents.data ?? defaultConsentList(userId)).consents ?? []),
    [consents.data, userId],
  );

  const [firstSeen, setFirstSeen] = useState<ReadonlySet<number>>();
  if (terms.data && !firstSeen) setFirstSeen(new Set(sorted.map((term) => term.id)));
  const changed = sorted.filter(
    ({ id, replaces }) =>
      (firstSeen && !firstSeen.has(id)) ||
      (replaces !== undefined && earlier.has(replaces) && !earlier.has(id)),
  );

  return {
    phase: phaseOf(terms, consents, slow),
    terms: sorted,
    earlier,
    changed: new Set(changed.map((term) => term.id)),
    retrying: terms.isValidating,
    reload: () => terms.mutate(),
  };
}

interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

function phaseOf(terms: Fetched, consents: Fetched, slow: boolean): LoadedTerms["phase"] {
  if (!terms.data) return terms.error ? "failed" : slow ? "slow" : "loading";
  // Ticks that appear under the thumb confuse, but a slow answer must not hold up the reading.
  return consents.isLoading && !consents.error && !slow ? "loading" : "ready";
}
