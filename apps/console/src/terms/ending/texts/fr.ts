import type { EndingTexts } from "./texts";

export const fr: EndingTexts = {
  title: "Annuler ou abroger",
  cancel: "Annuler cette version",
  cancelHint: (date) =>
    `Elle entre en vigueur le ${date}. D’ici là, elle peut être annulée\u202f: personne n’est alors sollicité pour elle.`,
  cancelTitle: (title) => `Annuler «\u202f${title}\u202f»\u202f?`,
  cancelText: (date) =>
    `Elle devait entrer en vigueur le ${date}, et ne le fera jamais. Ce qui a été publié reste lisible ici, et le journal garde les deux.`,
  notAsked: (count, written) =>
    count < 2
      ? `${written} livreur qui aurait été sollicité ne l’est pas.`
      : `${written} livreurs qui auraient été sollicités ne le sont pas.`,
  formerStays: "La version précédente reste en vigueur.",
  nothingInstead: "Rien ne prend sa place.",
  undoUntil: (date) => `Vous pouvez revenir là-dessus jusqu’au ${date}.`,
  cancelled: (title) => `«\u202f${title}\u202f»\u202f: version annulée.`,
  isCancelled: (date) => `Annulée le ${date}. Personne n’a été ni ne sera sollicité pour elle.`,
  undoCancel: "Revenir sur l’annulation",
  retire: "Abroger le document",
  retireHint:
    "Une fois un document abrogé, plus personne n’est sollicité pour lui. Ce que les personnes ont accepté reste, avec leurs reçus.",
  retireTitle: (title) => `Abroger «\u202f${title}\u202f»\u202f?`,
  retireText:
    "Plus personne n’est sollicité pour aucune de ses versions, et son absence n’empêche plus personne de travailler. Pour solliciter de nouveau, publiez un nouveau document.",
  noLongerAsked: (count, written) =>
    count < 2
      ? `${written} livreur qui n’a pas accepté n’est plus sollicité.`
      : `${written} livreurs qui n’ont pas accepté ne sont plus sollicités.`,
  stays: (count, written) =>
    count < 2
      ? `L’accord de ${written} personne reste, avec son reçu.`
      : `Les accords de ${written} personnes restent, avec leurs reçus.`,
  when: "Quand",
  atDate: "À une date",
  atOnce: "Immédiatement",
  atOnceHint: "C’est définitif.",
  from: "Abrogé à partir du",
  retired: (title) => `«\u202f${title}\u202f» est abrogé.`,
  retiredFrom: (title, date) => `«\u202f${title}\u202f» est abrogé à partir du ${date}.`,
  willRetire: (date) =>
    `Abrogé à partir du ${date}\u202f: plus personne n’est alors sollicité pour lui. Aucune nouvelle version ne peut être publiée.`,
  isRetired: (date) =>
    `Abrogé depuis le ${date}. Plus personne n’est sollicité pour lui\u202f; les accords et les reçus restent.`,
  undoRetire: "Revenir sur l’abrogation",
  undone: "Tout est comme avant.",
  notUndone: "Retour impossible\u202f: cela a déjà pris effet, ou a été modifié depuis.",
};
