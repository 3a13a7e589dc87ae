import { enConsentDeferred } from "./generated/en-consent-deferred";
import type { ConsentTexts, ConsentTextsAtHand } from "./texts";

const deferred = enConsentDeferred.consent;

/** The words that a language lacks are English. */
export function completeConsent(texts: ConsentTextsAtHand): ConsentTexts {
  return {
    ...deferred,
    ...texts,
    submitFailed: { ...deferred.submitFailed, ...texts.submitFailed },
  };
}
