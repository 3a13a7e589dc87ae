import type { MarketsTexts } from "./texts";

export const fr: MarketsTexts = {
  title: "Marchés",
  intro:
    "Un marché est l’endroit où quelqu’un travaille\u202f: un pays, une partie de pays ou un lieu à vous. Les conditions d’un marché valent pour tous ceux qui s’y trouvent.",
  market: "Marché",
  all: "Tous les marchés",
  add: "Ajouter un marché",
  edit: "Modifier",
  editThis: (code) => `Modifier ${code}`,
  save: "Enregistrer",
  saved: (code) => `${code} est enregistré.`,
  change: "Modification",
  code: "Code",
  codeHint: "DE, DE-BE ou DE-BE.berlin\u202f: un pays, une subdivision, un lieu.",
  noCode: "Ce n’est pas un code de marché.",
  taken: "Ce code existe déjà.",
  name: "Nom",
  nameHint: "Celui qu’emploient vos équipes. Un pays porte son nom de lui-même.",
  timezone: "Fuseau horaire",
  timezoneHint: "Par exemple Europe/Berlin.",
  people: "Personnes",
  terms: "Conditions",
  none: "Aucun marché n’est déclaré.",
  noneHint:
    "Il n’en faut aucun tant que tout le monde reçoit les mêmes conditions. Les pays s’utilisent sans être déclarés.",
  remove: "Retirer",
  removeThis: (code) => `Retirer ${code}`,
  removeAsk: (code) => `Retirer ${code}\u202f?`,
  removeHint: "Possible seulement tant que rien ne l’utilise\u202f: ni personnes, ni conditions.",
  removed: (code) => `${code} est retiré.`,
};
