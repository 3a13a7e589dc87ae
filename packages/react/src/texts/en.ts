import type { Texts } from "./texts";

export const en: Texts = {
  consent: {
    title: "Terms and conditions",
  },
  viewer: {
    close: "Close",
    back: "Back",
    previous: "Previous document",
    next: "Next document",
    position: (n, total) => `${n} of ${total}`,
    page: (n, total) => `Page ${n} of ${total}`,
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    readingView: "Reading view",
    pageView: "Page view",
    originalPdf: "Original PDF",
    download: "Download",
    loading: "Loading the document",
    failed: "This document could not be loaded.",
    tryAgain: "Try again",
    noText:
      "This document is a scan: it has pictures of pages and no text. Look at the pages or open the original PDF.",
    fit: "Fit to width",
    textLarger: "Larger text",
    textSmaller: "Smaller text",
    readAsText: "Small print? Read it as text",
  },
  ui: {
    close: "Close",
    loading: "Loading",
  },
};
