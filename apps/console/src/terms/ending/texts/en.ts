export const en = {
  title: "End this document",
  cancel: "Cancel version",
  cancelHint: (date: string) =>
    `This version takes effect on ${date}. If you cancel it before then, riders are not asked to accept it.`,
  cancelTitle: (title: string) => `Cancel “${title}”?`,
  cancelText: (date: string) =>
    `This version will not take effect on ${date}. It stays readable here, and the log records the publication and the cancellation.`,
  notAsked: (count: number, written: string): string =>
    count === 1
      ? "1 rider who would have been asked is not."
      : `${written} riders who would have been asked are not.`,
  formerStays: "The current version stays in effect.",
  nothingInstead: "No other version takes effect.",
  undoUntil: (date: string) => `You can undo this until ${date}.`,
  cancelled: (title: string) => `“${title}” is cancelled.`,
  isCancelled: (date: string) => `Cancelled on ${date} before it took effect.`,
  undoCancel: "Undo cancellation",
  retire: "Retire document",
  retireHint:
    "Riders are no longer asked to accept a retired document. Decisions and receipts are kept.",
  retireTitle: (title: string) => `Retire “${title}”?`,
  retireText:
    "Riders are no longer asked to accept this document and are no longer blocked by it. To ask again, publish a new document.",
  noLongerAsked: (count: number, written: string): string =>
    count === 1
      ? "1 rider who has not agreed is no longer asked."
      : `${written} riders who have not agreed are no longer asked.`,
  stays: (count: number, written: string): string =>
    count === 1
      ? "The agreement of 1 person stays, with its receipt."
      : `The agreements of ${written} people stay, with their receipts.`,
  when: "When",
  atDate: "On a date",
  atOnce: "Now",
  atOnceHint: "This cannot be undone.",
  from: "Retired from",
  retired: (title: string) => `“${title}” is retired.`,
  retiredFrom: (title: string, date: string) => `“${title}” will be retired on ${date}.`,
  willRetire: (date: string) => `Will be retired on ${date}. New versions cannot be published.`,
  isRetired: (date: string) => `Retired on ${date}. Decisions and receipts are kept.`,
  undoRetire: "Undo retirement",
  undone: "Change undone",
  notUndone: "This change has taken effect or was changed again. It cannot be undone.",
};
