// Generated from en.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("en");

/** The words of en.arb. */
export const en: Texts = {
  lang: "en",
  dir: "ltr",
  title: "Flags",
  open: "Show flags",
  close: "Close",
  search: "Search flags",
  nobody: "Nobody is set as the user yet.",
  person: "Person",
  version: "Version",
  none: "No flags here.",
  why: "Why",
  state: "State",
  status: {
    fresh: "fresh",
    cached: "from the cache",
    fallback: "no answer, fallback shown",
  },
  stored: "Stored",
  reads: "Depends on",
  here: "On this device",
  asDecided: "as decided",
  apply: "Set",
  reset: "Reset",
  resetAll: "Reset all",
  changed: (n: number) => `${numbers.format(n)} changed here`,
  noJson: "This is not JSON.",
  experiments: "Experiments",
  holdouts: "Holdouts",
  phase: "phase",
  group: {
    HELD_OUT: "held out",
    COMPARISON: "compared",
    GENERAL: "not held out",
  },
};
