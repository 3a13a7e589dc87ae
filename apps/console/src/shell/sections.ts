import type { ConsoleTexts } from "../texts/texts";
import type { IconName } from "./icon";

export interface Section {
  readonly to: "/" | "/audit";
  readonly words: string;
  readonly icon: IconName;
}

/** The places of the console, as the navigation and the palette list them. */
export function sections({ nav }: ConsoleTexts): readonly Section[] {
  return [
    { to: "/", words: nav.overview, icon: "overview" },
    { to: "/audit", words: nav.audit, icon: "audit" },
  ];
}
