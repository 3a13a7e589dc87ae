import { completeConsent } from "./en-consent-later";
import { enLater } from "./en-later";
import type { Texts, TextsAtHand } from "./texts";

/** The words that a language lacks are English. */
export function complete(texts: TextsAtHand): Texts {
  return {
    ...texts,
    consent: completeConsent(texts.consent),
    viewer: { ...enLater.viewer, ...texts.viewer },
    changes: { ...enLater.changes, ...texts.changes },
    ui: { ...enLater.ui, ...texts.ui },
  };
}
