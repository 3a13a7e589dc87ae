// Generated from en.arb by tools/texts. Do not edit.

const numbers = new Intl.NumberFormat("en");

/** The words of en.arb, as far as its part "en" goes. */
export const en = {
  lang: "en",
  dir: "ltr" as const,
  consent: {
    title: "Terms & Conditions",
    description: "You need to agree to the terms to continue",
    agreeAll: "Agree to all",
    agreeAllNote: (total: number) => `All ${numbers.format(total)} documents below, also those you may leave out`,
    optional: "Optional",
    changed: "Changed",
    accept: "Agree and continue",
    back: "Back",
    close: "Close",
    open: (title: string) => `Open ${title}`,
    openAll: "Open all documents",
    requiredLeft: (n: number) => n === 1 ? `1 required term left` : `${numbers.format(n)} required terms left`,
    loading: "Loading the terms",
    loadingSlow: "Still loading. The connection is slow.",
    sending: "Sending",
    noTerms: "There are no terms to agree to at the moment.",
    loadFailed: "The terms could not be loaded.",
    tryAgain: "Try again",
    tryNow: "Try now",
    submitFailed: {
      offline: "No answer came. Try again: nothing is recorded twice.",
    },
  },
};
