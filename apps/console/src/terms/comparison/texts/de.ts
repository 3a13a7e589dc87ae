import type { ComparisonTexts } from "./texts";

export const de: ComparisonTexts = {
  title: "Was sich im Text geändert hat",
  show: (before, after) => `Texte vergleichen: ${before} und ${after}`,
  thisDraft: "dieser Entwurf",
  language: "Sprache",
  layout: "Darstellung",
  layouts: { inline: "Ein Text", "side-by-side": "Nebeneinander" },
  onlyNow: (languages) => `Neu in dieser Fassung, nichts zu vergleichen: ${languages}.`,
  nothingInCommon: "Die beiden haben keine Sprache gemeinsam, die sich vergleichen ließe.",
  sameFile: "Es ist dieselbe Datei, Byte für Byte.",
};
