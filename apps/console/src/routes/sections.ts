import type { ConsoleTexts } from "../language/texts/texts";
import type { IconName } from "../ui/icon";

export interface Section {
  readonly to:
    | "/"
    | "/terms"
    | "/people"
    | "/consents"
    | "/flags"
    | "/experiments"
    | "/holdouts"
    | "/approvals"
    | "/settings"
    | "/audit";
  readonly words: string;
  /** The letter after `g`. */
  readonly letter: string;
  readonly icon: IconName;
}

/** The sections of the console, for the navigation and the palette. */
export function sections({ nav }: ConsoleTexts): readonly Section[] {
  return [
    { to: "/", words: nav.overview, letter: "o", icon: "overview" },
    { to: "/terms", words: nav.terms, letter: "t", icon: "terms" },
    { to: "/people", words: nav.people, letter: "p", icon: "people" },
    { to: "/consents", words: nav.consents, letter: "c", icon: "consents" },
    { to: "/flags", words: nav.flags, letter: "f", icon: "flags" },
    { to: "/experiments", words: nav.experiments, letter: "e", icon: "experiments" },
    { to: "/holdouts", words: nav.holdouts, letter: "h", icon: "holdouts" },
    { to: "/approvals", words: nav.approvals, letter: "r", icon: "approvals" },
    { to: "/audit", words: nav.audit, letter: "a", icon: "audit" },
    { to: "/settings", words: nav.settings, letter: "s", icon: "settings" },
  ];
}
