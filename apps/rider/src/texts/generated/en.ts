// Generated from en.arb by tools/texts. Do not edit.

/** The words of en.arb, as far as its part "en" goes. */
export const en = {
  lang: "en",
  dir: "ltr" as const,
  skip: "Skip to the content",
  nav: {
    label: "Main",
    start: "Start",
    apply: "Apply",
    terms: "Terms",
    agreements: "My agreements",
  },
  language: "Language",
  appearance: {
    label: "Appearance",
    system: "As the device",
    light: "Light",
    dark: "Dark",
  },
  ended: {
    suspended: "No connection right now. You stay signed in, and it goes on by itself.",
  },
  offline: {
    note: "You are offline. What was loaded before is still here.",
    asOf: (dateAndTime: string) => `As of ${dateAndTime}. Without a connection nothing newer is known.`,
  },
  signIn: {
    title: "Sign in",
  },
  status: {
    byText: (dateAndTime: string) => `You can work without agreeing until ${dateAndTime}.`,
    done: "All done",
    doneText: "You have agreed to everything that is required.",
    optionalOnly: "None of this is required. You decide freely.",
  },
  applied: {
    show: "See or change what I agreed to",
    before: (dateAndTime: string) => `Somebody has already agreed on this phone, on ${dateAndTime}.`,
  },
  devices: {
    title: "My devices",
  },
  systems: {
    title: "How decisions are made",
  },
  notices: {
    title: "Notices",
  },
  restriction: {
    title: "Restrictions of your work",
  },
  work: {
    title: "My work record",
    evaluation: "Record of your work",
    contest: "Contest this",
  },
  agreements: {
    receipt: "Receipt",
  },
  notFound: {
    title: "There is no page here",
    text: "The address may be mistyped, or the page has moved.",
  },
  signer: {
    rider: (name: string) => `You are agreeing as ${name}.`,
    applicant: "You are agreeing as an applicant, without an account.",
    company: (company: string) => `Terms of ${company}`,
    wasYou: "Was this you?",
  },
  backToStart: "Back to the start",
  loading: "Loading…",
  tryAgain: "Try again",
  failure: {
    offline: "No answer came. Please try again.",
    unsent: "You are offline. This is kept on this phone and not sent yet; it goes out once you are online.",
    server: "The service could not answer right now. Please try again.",
    signedOut: "Your session has ended. Please sign in again.",
    rateLimited: "That was too often in a short time. Please wait, then try again.",
    refused: "The service did not accept this.",
    changed: "This text has changed meanwhile. Please read the new one first.",
    clock: "Please set the clock of your device and try again.",
    unknownMarket: "The place that this page was opened for is not known here. Ask whoever gave you the link.",
  },
};
