import type { ComparisonTexts } from "./texts";

export const fr: ComparisonTexts = {
  title: "Modifications du texte",
  show: (before, after) => `Comparer ${before} avec ${after}`,
  thisDraft: "ce brouillon",
  language: "Langue",
  layout: "Disposition",
  layouts: { inline: "Intégré", "side-by-side": "Côte à côte" },
  onlyNow: (languages) => `Nouvelles langues, non comparées\u202f: ${languages}`,
  nothingInCommon: "Les versions n’ont aucune langue en commun.",
  sameFile: "Les fichiers sont identiques.",
};
