import type { EndingTexts } from "./texts";

export const fr: EndingTexts = {
  title: "Mettre fin à ce document",
  cancel: "Annuler la version",
  cancelHint: (date) =>
    `Cette version entre en vigueur le ${date}. Si vous l’annulez avant, les livreurs ne sont pas invités à l’accepter.`,
  cancelTitle: (title) => `Annuler «\u202f${title}\u202f»\u202f?`,
  cancelText: (date) =>
    `Cette version n’entrera pas en vigueur le ${date}. Elle reste lisible ici, et le journal consigne la publication et l’annulation.`,
  notAsked: (count, written) =>
    count < 2
      ? `${written} livreur qui aurait été sollicité ne l’est pas.`
      : `${written} livreurs qui auraient été sollicités ne le sont pas.`,
  formerStays: "La version actuelle reste en vigueur.",
  nothingInstead: "Aucune autre version n’entre en vigueur.",
  undoUntil: (date) => `Vous pouvez revenir là-dessus jusqu’au ${date}.`,
  cancelled: (title) => `«\u202f${title}\u202f»\u202f: version annulée.`,
  isCancelled: (date) => `Annulée le ${date}, avant son entrée en vigueur.`,
  undoCancel: "Revenir sur l’annulation",
  retire: "Abroger le document",
  retireHint:
    "Les livreurs ne sont plus invités à accepter un document abrogé. Les décisions et les reçus sont conservés.",
  retireTitle: (title) => `Abroger «\u202f${title}\u202f»\u202f?`,
  retireText:
    "Les livreurs ne sont plus invités à accepter ce document et ne sont plus bloqués par lui. Pour solliciter de nouveau, publiez un nouveau document.",
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
  atOnce: "Maintenant",
  atOnceHint: "C’est définitif.",
  from: "Abrogé à partir du",
  retired: (title) => `«\u202f${title}\u202f» est abrogé.`,
  retiredFrom: (title, date) => `«\u202f${title}\u202f» sera abrogé le ${date}.`,
  willRetire: (date) => `Sera abrogé le ${date}. Aucune nouvelle version ne peut être publiée.`,
  isRetired: (date) => `Abrogé le ${date}. Les décisions et les reçus sont conservés.`,
  undoRetire: "Revenir sur l’abrogation",
  undone: "Modification annulée.",
  notUndone:
    "Cette modification a pris effet ou a été modifiée de nouveau. Elle ne peut pas être annulée.",
};
