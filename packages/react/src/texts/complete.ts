import { completeConsent } from "./en-consent-deferred";
import { enDeferred } from "./en-deferred";
import type { Texts, TextsAtHand } from "./texts";

/** The words that a language lacks are English. */
export function complete(texts: TextsAtHand): Texts {
  return {
    ...texts,
    consent: completeConsent(texts.consent),
    viewer: { ...enDeferred.viewer, ...texts.viewer },
    changes: { ...enDeferred.changes, ...texts.changes },
    ui: { ...enDeferred.ui, ...texts.ui },
  };
}
