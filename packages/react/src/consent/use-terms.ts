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
  /** The terms that are new since the screen opened, or that replace a version that the user agreed to. */
  readonly changed: ReadonlySet<number>;
  readonly slow: boolean;
  readonly retrying: boolean;
  /** Whether the server does not know the market, so that a retry does not help. */
  readonly unknownMarket: boolean;
  /** Fetches the terms again. */
  reload(): Promise<unknown>;
  /** Fetches the terms again without any cache, after the server has responded that they changed. */
  renew(): Promise<unknown>;
}

/** The first element of the cache key of all term requests. */
export const TERMS = "musette/terms";

/** Loads the terms in effect and the user's earlier decisions. `initial` are the terms of a server-rendered page. */
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
    const bypassesCache = fresh.current;
    const list = asTerms(
      await source.fetchTerms(bypassesCache ? { ...query, fresh: true } : query),
    );
    if (bypassesCache) {
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
    // The user cannot agree to a list that the server has reported as changed.
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
  // Ticks that change under the user's thumb confuse, but a slow response must not delay the list.
  return waiting && !slow ? "loading" : "ready";
}
