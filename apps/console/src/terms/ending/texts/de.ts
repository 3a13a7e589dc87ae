import type { EndingTexts } from "./texts";

export const de: EndingTexts = {
  title: "Absagen oder zurückziehen",
  cancel: "Diese Fassung absagen",
  cancelHint: (date) =>
    `Sie tritt am ${date} in Kraft. Bis dahin lässt sie sich absagen: Dann wird niemand nach ihr gefragt.`,
  cancelTitle: (title) => `„${title}“ absagen?`,
  cancelText: (date) =>
    `Sie sollte am ${date} in Kraft treten und wird es nie. Was veröffentlicht wurde, bleibt hier lesbar, und das Protokoll behält beides.`,
  notAsked: (count, written) =>
    count === 1
      ? "1 Fahrer, der gefragt worden wäre, wird nicht gefragt."
      : `${written} Fahrer, die gefragt worden wären, werden nicht gefragt.`,
  formerStays: "Die frühere Fassung bleibt in Kraft.",
  nothingInstead: "Nichts tritt an ihre Stelle.",
  undoUntil: (date) => `Das lässt sich bis ${date} rückgängig machen.`,
  cancelled: (title) => `„${title}“ ist abgesagt.`,
  isCancelled: (date) => `Abgesagt am ${date}. Niemand wurde oder wird nach ihr gefragt.`,
  undoCancel: "Absage rückgängig machen",
  retire: "Dokument zurückziehen",
  retireHint:
    "Nach einem zurückgezogenen Dokument wird niemand mehr gefragt. Die Zustimmungen bleiben, mit ihren Belegen.",
  retireTitle: (title) => `„${title}“ zurückziehen?`,
  retireText:
    "Niemand wird mehr nach einer seiner Fassungen gefragt, und niemand darf deswegen nicht arbeiten. Um wieder zu fragen, veröffentlichen Sie ein neues Dokument.",
  noLongerAsked: (count, written) =>
    count === 1
      ? "1 Fahrer, der nicht zugestimmt hat, wird nicht mehr gefragt."
      : `${written} Fahrer, die nicht zugestimmt haben, werden nicht mehr gefragt.`,
  stays: (count, written) =>
    count === 1
      ? "Die Zustimmung von 1 Person bleibt, mit ihrem Beleg."
      : `Die Zustimmungen von ${written} Personen bleiben, mit ihren Belegen.`,
  when: "Wann",
  atDate: "Zu einem Zeitpunkt",
  atOnce: "Sofort",
  atOnceHint: "Das lässt sich nicht rückgängig machen.",
  from: "Zurückgezogen ab",
  retired: (title) => `„${title}“ ist zurückgezogen.`,
  retiredFrom: (title, date) => `„${title}“ ist ab ${date} zurückgezogen.`,
  willRetire: (date) =>
    `Zurückgezogen ab ${date}: Dann wird niemand mehr danach gefragt. Neue Fassungen lassen sich nicht veröffentlichen.`,
  isRetired: (date) =>
    `Zurückgezogen seit ${date}. Niemand wird mehr danach gefragt; Zustimmungen und Belege bleiben.`,
  undoRetire: "Zurückziehen rückgängig machen",
  undone: "Es ist wieder wie vorher.",
  notUndone: "Das ließ sich nicht rückgängig machen: Es gilt schon oder wurde inzwischen geändert.",
};
