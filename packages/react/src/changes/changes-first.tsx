import { type EarlierVersion, formerVersion, type Term } from "@musette/client/terms";
import { useEffect, useState } from "react";
import type { Arrange } from "../consent/arrangement";
import type { Texts, TextsAtHand } from "../texts";
import { waitsForChange } from "./waits-for-change";
import type { WhatChanged } from "./what-changed";

/** The texts for a user who has accepted all required terms. They replace the title and "You need to agree". */
export interface WhenAgreed {
  readonly title: string;
  readonly description: string;
}

/**
 * Returns an `arrange` for `TermsConsent` that lists changed terms first. Each has a comparison of its text
 * with the version that the user agreed to, even if there are several versions in between. If no term is left
 * to agree to, it shows `whenAgreed` and disables the button until the user changes a tick.
 *
 * @example
 * <TermsConsent userId="rider-1" arrange={changesFirst()} />
 */
export function changesFirst(whenAgreed?: WhenAgreed): Arrange {
  return (loaded, ticks, texts) => {
    const { terms, earlier } = loaded;
    const accepted = earlier.known?.accepted;
    const formerOf = (term: Term) => {
      if (accepted?.has(term.id)) return undefined;
      const agreedTo = formerVersion(term, (id) => accepted?.has(id) === true);
      // If the term changed while the screen was open, the user knows the version that it replaces.
      const replaced = loaded.changed.has(term.id) ? term.earlier_versions?.[0] : undefined;
      return agreedTo ?? replaced;
    };
    const changed = new Set(loaded.changed);
    for (const term of terms) if (formerOf(term)) changed.add(term.id);

    const order = [
      ...terms.filter(({ id }) => changed.has(id)),
      ...terms.filter(({ id }) => !changed.has(id)),
    ];
    const waits = whenAgreed && waitsForChange(terms, ticks, accepted);
    return {
      terms: order,
      ticks: order.map((term) => ticks[terms.indexOf(term)] === true),
      changed,
      ...(waits !== undefined && { ...whenAgreed, waits }),
      below(term) {
        const former = formerOf(term);
        return former && <Change term={term} former={former} texts={texts} />;
      },
    };
  };
}

interface Loaded {
  readonly WhatChanged: typeof WhatChanged;
  readonly complete: (texts: TextsAtHand) => Texts;
}

/** Shows the change of a term. Loads the code for comparisons on demand; the list works without it. */
function Change(props: {
  readonly term: Term;
  readonly former: EarlierVersion;
  readonly texts: TextsAtHand;
}) {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let isMounted = true;
    import("./what-changed").then(
      (module) => isMounted && setLoaded(module),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, []);
  if (!loaded) return null;
  const { term, former, texts } = props;
  return <loaded.WhatChanged term={term} former={former} texts={loaded.complete(texts)} />;
}
