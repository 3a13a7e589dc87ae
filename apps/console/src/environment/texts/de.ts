import type { EnvironmentTexts } from "./texts";

export const de: EnvironmentTexts = {
  environment: "Umgebung",
  none: "Es gibt noch keine Umgebung.",
  noneHint:
    "Eine Umgebung enthält einen Satz Flags, etwa für den Betrieb oder für Tests. Die erste legt jemand mit Admin-Rolle in den Einstellungen an.",
};
