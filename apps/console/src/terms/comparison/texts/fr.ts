import type { ComparisonTexts } from "./texts";

export const fr: ComparisonTexts = {
  title: "Ce qui a changé dans le texte",
  show: (before, after) => `Comparer les textes\u202f: ${before} et ${after}`,
  thisDraft: "ce brouillon",
  language: "Langue",
  layout: "Disposition",
  layouts: { inline: "Un seul texte", "side-by-side": "Côte à côte" },
  onlyNow: (languages) => `Nouveau dans cette version, rien à comparer\u202f: ${languages}.`,
  nothingInCommon: "Les deux n’ont aucune langue en commun à comparer.",
  sameFile: "C’est le même fichier, octet pour octet.",
};
