import {
  asTerms,
  isUnknownMarket,
  sortTerms,
  type Term,
  type TermsQuery,
  versionIds,
} from "@musette/client/terms";
import { useMemo, useRef, useState } from "react";
import { useRead } from "../reading/use-read";
import type { TermsSource } from "./terms-source";
import { type Earlier, useEarlier } from "./use-earlier";

export interface LoadedTerms {
  readonly phase: "loading" | "slow" | "failed" | "ready";
  readonly terms: readonly Term[];
  readonly earlier: Earlier;
  /** New since this screen was opened, or since the person last agreed to what they replace. */
  readonly changed: ReadonlySet<number>;
  readonly slow: boolean;
  readonly retrying: boolean;
  /** The server does not know the market: asking again does not help. */
  readonly unknownMarket: boolean;
  reload(): Promise<unknown>;
  /** Past every cache: the server said that the terms have changed. */
  renew(): Promise<unknown>;
}

/** How the names of all questions for terms begin. */
export const TERMS = "musette/terms";

/** The terms in effect and what this person accepted of them. `initial` came with the page. */
export function useTerms(
  source: TermsSource,
  query: TermsQuery,
  initial?: readonly Term[] | undefined,
): LoadedTerms {
  const { userId, termsType, market } = query;
  const [slow, setSlow] = useState(false);
  const [outdated, setOutdated] = useState(false);
  const fresh = useRef(false);
  const onSlow = () => setSlow(true);

  async function fetchTerms(): Promise<readonly Term[]> {
    const asked = fresh.current;
    const list = asTerms(await source.fetchTerms(asked ? { ...query, fresh: true } : query));
    if (asked) {
      fresh.current = false;
      setOutdated(false);
    }
    return list;
  }
  const terms = useRead([TERMS, ...source.scope, userId, termsType, market], {
    fetch: fetchTerms,
    initial,
    onSlow,
  });
  const earlier = useEarlier(source, userId, onSlow);
  const sorted = useMemo(() => sortTerms(terms.data ?? []), [terms.data]);

  const [firstSeen, setFirstSeen] = useState<ReadonlySet<number>>();
  if (terms.data && !firstSeen) setFirstSeen(new Set(sorted.map((term) => term.id)));
  const accepted = earlier.known?.accepted;
  const changed = sorted.filter(
    (term) =>
      (firstSeen && !firstSeen.has(term.id)) ||
      (!accepted?.has(term.id) && versionIds(term).some((id) => accepted?.has(id))),
  );

  return {
    // What the server said has changed is no list to agree to.
    phase: outdated && !terms.isFetching ? "failed" : phaseOf(terms, earlier.waiting, slow),
    terms: sorted,
    earlier,
    changed: new Set(changed.map((term) => term.id)),
    slow,
    retrying: terms.isFetching,
    unknownMarket: isUnknownMarket(terms.error),
    reload: () => terms.refetch(),
    renew: () => {
      fresh.current = true;
      setOutdated(true);
      earlier.retry();
      return terms.refetch();
    },
  };
}

interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
}

function phaseOf(terms: Fetched, waiting: boolean, slow: boolean): LoadedTerms["phase"] {
  if (!terms.data) return terms.error ? "failed" : slow ? "slow" : "loading";
  // Ticks that appear under the thumb confuse, but a slow answer must not hold up the reading.
  return waiting && !slow ? "loading" : "ready";
}
