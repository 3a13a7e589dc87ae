import type { ComparisonTexts } from "./texts";

export const de: ComparisonTexts = {
  title: "Textänderungen",
  show: (before, after) => `${before} mit ${after} vergleichen`,
  thisDraft: "dieser Entwurf",
  language: "Sprache",
  layout: "Darstellung",
  layouts: { inline: "Inline", "side-by-side": "Nebeneinander" },
  onlyNow: (languages) => `Neue Sprachen, nicht verglichen: ${languages}`,
  nothingInCommon: "Die Versionen haben keine gemeinsame Sprache.",
  sameFile: "Die Dateien sind identisch.",
};
