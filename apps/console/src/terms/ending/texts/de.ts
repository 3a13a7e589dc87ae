import type { EndingTexts } from "./texts";

export const de: EndingTexts = {
  title: "Dieses Dokument beenden",
  cancel: "Version absagen",
  cancelHint: (date) =>
    `Diese Version tritt am ${date} in Kraft. Wenn Sie sie vorher absagen, werden Fahrer nicht um Zustimmung gebeten.`,
  cancelTitle: (title) => `„${title}“ absagen?`,
  cancelText: (date) =>
    `Diese Version tritt am ${date} nicht in Kraft. Sie bleibt hier lesbar, und das Log hält Veröffentlichung und Absage fest.`,
  notAsked: (count, written) =>
    count === 1
      ? "1 Fahrer, der gefragt worden wäre, wird nicht gefragt."
      : `${written} Fahrer, die gefragt worden wären, werden nicht gefragt.`,
  formerStays: "Die aktuelle Version bleibt in Kraft.",
  nothingInstead: "Keine andere Version tritt in Kraft.",
  undoUntil: (date) => `Das lässt sich bis ${date} rückgängig machen.`,
  cancelled: (title) => `„${title}“ ist abgesagt.`,
  isCancelled: (date) => `Am ${date} abgesagt, bevor sie in Kraft trat.`,
  undoCancel: "Absage rückgängig machen",
  retire: "Dokument zurückziehen",
  retireHint:
    "Fahrer werden nicht mehr um Zustimmung zu einem zurückgezogenen Dokument gebeten. Entscheidungen und Belege bleiben erhalten.",
  retireTitle: (title) => `„${title}“ zurückziehen?`,
  retireText:
    "Fahrer werden nicht mehr um Zustimmung zu diesem Dokument gebeten und nicht mehr dadurch gesperrt. Um wieder zu fragen, veröffentlichen Sie ein neues Dokument.",
  noLongerAsked: (count, written) =>
    count === 1
      ? "1 Fahrer, der nicht zugestimmt hat, wird nicht mehr gefragt."
      : `${written} Fahrer, die nicht zugestimmt haben, werden nicht mehr gefragt.`,
  stays: (count, written) =>
    count === 1
      ? "Die Zustimmung von 1 Person bleibt, mit ihrem Beleg."
      : `Die Zustimmungen von ${written} Personen bleiben, mit ihren Belegen.`,
  when: "Wann",
  atDate: "An einem Datum",
  atOnce: "Jetzt",
  atOnceHint: "Das lässt sich nicht rückgängig machen.",
  from: "Zurückgezogen ab",
  retired: (title) => `„${title}“ ist zurückgezogen.`,
  retiredFrom: (title, date) => `„${title}“ wird am ${date} zurückgezogen.`,
  willRetire: (date) =>
    `Wird am ${date} zurückgezogen. Neue Versionen können nicht veröffentlicht werden.`,
  isRetired: (date) => `Am ${date} zurückgezogen. Entscheidungen und Belege bleiben erhalten.`,
  undoRetire: "Zurückziehen rückgängig machen",
  undone: "Änderung rückgängig gemacht",
  notUndone:
    "Diese Änderung gilt bereits oder wurde erneut geändert. Sie kann nicht rückgängig gemacht werden.",
};
