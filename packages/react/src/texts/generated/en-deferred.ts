// Generated from en.arb by tools/texts. Do not edit.

const numbers = new Intl.NumberFormat("en");

/** The words of en.arb, as far as its part "en-deferred" goes. */
export const enDeferred = {
  viewer: {
    close: "Close",
    back: "Back",
    previous: "Previous document",
    next: "Next document",
    position: (n: number, total: number) => `${numbers.format(n)} of ${numbers.format(total)}`,
    page: (n: number, total: number) => `Page ${numbers.format(n)} of ${numbers.format(total)}`,
    inLanguage: (language: string) => `In ${language}`,
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    readingView: "Reading view",
    pageView: "Page view",
    originalPdf: "Original PDF",
    download: "Download",
    loading: "Loading the document",
    failed: "This document could not be loaded.",
    pageFailed: (n: number) => `Page ${numbers.format(n)} could not be loaded.`,
    tryAgain: "Try again",
    noText: "This document is a scan: it has pictures of pages and no text. Look at the pages or open the original PDF.",
    fit: "Fit to width",
    textLarger: "Larger text",
    textSmaller: "Smaller text",
    readAsText: "Small print? Read it as text",
  },
  changes: {
    show: "Show what changed",
    between: (before: string, now: string) => `Version ${before} against version ${now}, by their words.`,
    counted: (added: number, removed: number) => `Words added: ${numbers.format(added)}. Words removed: ${numbers.format(removed)}.`,
    addedSign: "Added",
    removedSign: "Removed",
    added: "Added: ",
    removed: "Removed: ",
    end: ". End. ",
    unchanged: (paragraphs: number) => paragraphs === 1 ? `1 paragraph without a change` : `${numbers.format(paragraphs)} paragraphs without a change`,
    more: "There is more. Open the document to read all of it.",
    same: "The words are the same. Pictures and layout are not compared.",
    different: "Too much has changed to mark it word by word. Please read the new text as a whole.",
    textless: "One of the two is a scan without text, so they cannot be compared. Please read the new document as a whole.",
    otherLanguage: "The earlier version was not published in this language, so the two cannot be compared.",
    failed: "The texts could not be loaded.",
    formerPdf: "Earlier version (PDF)",
  },
};
