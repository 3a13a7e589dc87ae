import type { TextsAtHand } from "./texts";

/**
 * English is what is shown when nothing else can be, so it comes with the screen: as much of it as
 * the first look needs. The rest, in `en-deferred.ts`, arrives with what shows it.
 */
export const en: TextsAtHand = {
  lang: "en",
  dir: "ltr",
  consent: {
    title: "Terms & Conditions",
    description: "You need to agree to the terms to continue",
    agreeAll: "Agree to all",
    agreeAllNote: (total) => `All ${total} documents below, also those you may leave out`,
    optional: "Optional",
    changed: "Changed",
    accept: "Agree and continue",
    back: "Back",
    close: "Close",
    open: (title) => `Open ${title}`,
    openAll: "Open all documents",
    requiredLeft: (n) => (n === 1 ? "1 required term left" : `${n} required terms left`),
    loading: "Loading the terms",
    loadingSlow: "Still loading. The connection is slow.",
    sending: "Sending",
    noTerms: "There are no terms to agree to at the moment.",
    loadFailed: "The terms could not be loaded.",
    tryAgain: "Try again",
    submitFailed: { offline: "No answer came. Try again: nothing is recorded twice." },
  },
};
