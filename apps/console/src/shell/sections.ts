import type { ConsoleTexts } from "../texts/texts";
import type { IconName } from "./icon";

export interface Section {
  readonly to:
    | "/"
    | "/terms"
    | "/people"
    | "/consents"
    | "/flags"
    | "/experiments"
    | "/holdouts"
    | "/settings"
    | "/audit";
  readonly words: string;
  readonly icon: IconName;
}

/** The places of the console, as the navigation and the palette list them. */
export function sections({ nav }: ConsoleTexts): readonly Section[] {
  return [
    { to: "/", words: nav.overview, icon: "overview" },
    { to: "/terms", words: nav.terms, icon: "terms" },
    { to: "/people", words: nav.people, icon: "people" },
    { to: "/consents", words: nav.consents, icon: "consents" },
    { to: "/flags", words: nav.flags, icon: "flags" },
    { to: "/experiments", words: nav.experiments, icon: "experiments" },
    { to: "/holdouts", words: nav.holdouts, icon: "holdouts" },
    { to: "/audit", words: nav.audit, icon: "audit" },
    { to: "/settings", words: nav.settings, icon: "settings" },
  ];
}
