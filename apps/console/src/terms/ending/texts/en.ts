export const en = {
  title: "Cancel or retire",
  cancel: "Cancel this version",
  cancelHint: (date: string) =>
    `It takes effect on ${date}. Until then it can be cancelled: then nobody is asked for it.`,
  cancelTitle: (title: string) => `Cancel “${title}”?`,
  cancelText: (date: string) =>
    `It was to take effect on ${date}, and never will. What was published stays readable here, and the log keeps both.`,
  notAsked: (count: number, written: string): string =>
    count === 1
      ? "1 rider who would have been asked is not."
      : `${written} riders who would have been asked are not.`,
  formerStays: "The former version stays in effect.",
  nothingInstead: "Nothing takes its place.",
  undoUntil: (date: string) => `You can undo this until ${date}.`,
  cancelled: (title: string) => `“${title}” is cancelled.`,
  isCancelled: (date: string) => `Cancelled on ${date}. Nobody was or will be asked for it.`,
  undoCancel: "Undo the cancellation",
  retire: "Retire the document",
  retireHint:
    "Once a document is retired nobody is asked for it any more. What people agreed to stays, with their receipts.",
  retireTitle: (title: string) => `Retire “${title}”?`,
  retireText:
    "Nobody is asked for any version of it any more, and nobody is kept from working for want of it. To ask again, publish a new document.",
  noLongerAsked: (count: number, written: string): string =>
    count === 1
      ? "1 rider who has not agreed is no longer asked."
      : `${written} riders who have not agreed are no longer asked.`,
  stays: (count: number, written: string): string =>
    count === 1
      ? "The agreement of 1 person stays, with its receipt."
      : `The agreements of ${written} people stay, with their receipts.`,
  when: "When",
  atDate: "At a date",
  atOnce: "At once",
  atOnceHint: "This cannot be undone.",
  from: "Retired from",
  retired: (title: string) => `“${title}” is retired.`,
  retiredFrom: (title: string, date: string) => `“${title}” is retired from ${date} on.`,
  willRetire: (date: string) =>
    `Retired from ${date} on: then nobody is asked for it any more. New versions cannot be published.`,
  isRetired: (date: string) =>
    `Retired since ${date}. Nobody is asked for it any more; agreements and receipts stay.`,
  undoRetire: "Undo the retirement",
  undone: "It is as it was before.",
  notUndone: "This could not be undone: it has taken effect, or was changed since.",
};
