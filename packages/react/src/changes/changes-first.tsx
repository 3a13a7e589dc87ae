import { type EarlierVersion, formerVersion, type Term } from "@musette/client/terms";
import { useEffect, useState } from "react";
import type { Arrange } from "../consent/arrangement";
import type { Texts, TextsAtHand } from "../texts";
import { waitsForChange } from "./waits-for-change";
import type { WhatChanged } from "./what-changed";

/** What somebody who has accepted everything that is required is told, in the place of "You need to". */
export interface WhenAgreed {
  readonly title: string;
  readonly description: string;
}

/**
 * For `TermsConsent`: what has changed since this person agreed stands before the rest, each with its
 * old text against the new one, however many versions lie between. Where nothing is left to agree to
 * it says so, and the button waits until a tick is changed.
 */
export function changesFirst(whenAgreed?: WhenAgreed): Arrange {
  return (loaded, ticks, words) => {
    const { terms, earlier } = loaded;
    const accepted = earlier.known?.accepted;
    const formerOf = (term: Term) => {
      if (accepted?.has(term.id)) return undefined;
      const agreedTo = formerVersion(term, (id) => accepted?.has(id) === true);
      // It changed while somebody looked at it: they know the one that it took the place of.
      const shown = loaded.changed.has(term.id) ? term.earlier_versions?.[0] : undefined;
      return agreedTo ?? shown;
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
        return former && <Change term={term} former={former} words={words} />;
      },
    };
  };
}

interface Loaded {
  readonly WhatChanged: typeof WhatChanged;
  readonly complete: (texts: TextsAtHand) => Texts;
}

/** What compares is fetched where something has changed. Without it the list still works. */
function Change(props: {
  readonly term: Term;
  readonly former: EarlierVersion;
  readonly words: TextsAtHand;
}) {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let current = true;
    import("./what-changed").then(
      (module) => current && setLoaded(module),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, []);
  if (!loaded) return null;
  const { term, former, words } = props;
  return <loaded.WhatChanged term={term} former={former} texts={loaded.complete(words)} />;
}
