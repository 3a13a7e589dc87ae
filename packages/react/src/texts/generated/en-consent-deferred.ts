// Generated from en.arb by tools/texts. Do not edit.

const numbers = new Intl.NumberFormat("en");

/** The words of en.arb, as far as its part "en-consent-deferred" goes. */
export const enConsentDeferred = {
  consent: {
    inLanguage: (language: string) => `In ${language}`,
    saved: "Your decision is recorded.",
    viewerFailed: "The document could not be opened.",
    takeBack: "Do not send it",
    submitFailed: {
      unsent: "You are offline. Your decision is kept on this device and not sent yet, so it does not count yet. It goes out once you are online; if you leave, come back here then.",
      changed: "The terms have changed in the meantime. Look at those marked as changed, then agree again.",
      signedOut: "You are signed out. Sign in, then try again: nothing is recorded twice.",
      rateLimited: "Too many tries from here. It is kept and sent again by itself: nothing is recorded twice.",
      clock: "The clock of this device is ahead. Set date and time to automatic, then try again.",
      unknownMarket: "The place that this page was opened for is not known here. Ask whoever gave you the link.",
      refused: "The server did not accept this. Load the page again, then try once more.",
      slow: "This takes longer than usual. Wait, or try again: nothing is recorded twice.",
      reticked: "Nothing was sent: the ticks have changed. Look at them, then agree again.",
      server: "The server could not confirm this. It is kept and sent again by itself: nothing is recorded twice.",
    },
    wait: (seconds: number) => seconds === 1 ? `The server asks to wait 1 second.` : `The server asks to wait ${numbers.format(seconds)} seconds.`,
    earlierUnknown: "What you decided earlier could not be loaded. Optional documents that you leave alone stay as they are.",
    earlierOffline: "You are offline, so what you decided earlier could not be loaded. Optional documents that you leave alone stay as they are.",
    declined: "You declined this before.",
    requiredFrom: (at: string) => `Required from ${at}`,
    cleared: "Nobody touched the screen for 15 minutes, so the ticks were removed.",
    kept: "Your ticks from before are kept in this tab. They count once you agree below.",
    pending: {
      sending: (at: string) => `What was agreed to on ${at} is being sent again. It is recorded once.`,
      unanswered: (at: string) => `On ${at} you agreed, and no answer has come yet. It is kept and sent again by itself: nothing is recorded twice.`,
      unsent: (at: string) => `On ${at} you agreed while offline. It is kept on this device and not sent yet, so it does not count yet. It goes out once you are online.`,
      refused: (at: string) => `What was agreed to on this device on ${at} was not recorded: the terms had changed. Nothing was agreed to for anybody.`,
      expired: (at: string) => `On ${at} you agreed, and no answer came. It is too long ago to ask whether it was recorded.`,
      decideAnew: "Go to the documents",
      whose: (at: string) => `An agreement that was confirmed on this device on ${at} is recorded. Was it you?`,
      mine: "Yes, show the receipt",
      notMine: "No, it was somebody else",
    },
  },
};
