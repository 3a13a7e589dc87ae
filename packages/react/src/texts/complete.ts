import { completeConsent } from "./complete-consent";
import { enDeferred } from "./generated/en-deferred";
import { enKit } from "./generated/en-kit";
import type { Texts, TextsAtHand } from "./texts";

/** The words that a language lacks are English. */
export function complete(texts: TextsAtHand): Texts {
  return {
    ...texts,
    consent: completeConsent(texts.consent),
    viewer: { ...enDeferred.viewer, ...texts.viewer },
    changes: { ...enDeferred.changes, ...texts.changes },
    markets: { ...enKit.markets, ...texts.markets },
    ui: { ...enKit.ui, ...texts.ui },
  };
}
