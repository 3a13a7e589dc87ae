import type { TextsAtHand } from "./texts";

/**
 * English is what is shown when nothing else can be, so it comes with the screen: as much of it as
 * the first look needs. The rest, in `en-later.ts`, arrives with what shows it.
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
    saved: "Your decision is recorded.",
    noTerms: "There are no terms to agree to at the moment.",
    loadFailed: "The terms could not be loaded.",
    viewerFailed: "The document could not be opened.",
    tryAgain: "Try again",
    submitFailed: {
      offline: "Not sent: there is no connection. Your choices are kept.",
      changed:
        "The terms have changed in the meantime. Look at those marked as changed, then agree again.",
      signedOut: "Not sent: you are signed out. Sign in, then try again. Your choices are kept.",
      rateLimited:
        "Not sent: too many tries. Wait a minute, then try again. Your choices are kept.",
      clock:
        "Not sent: the clock of this device is ahead. Set date and time to automatic, then try again.",
      refused: "Not sent: the server did not accept this. Load the page again, then try once more.",
      server: "Not sent: the server has a problem. Your choices are kept.",
    },
  },
};
