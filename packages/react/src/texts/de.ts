import type { Texts } from "./texts";

export const de: Texts = {
  consent: {
    title: "Vertragsbedingungen",
  },
  viewer: {
    close: "Schließen",
    back: "Zurück",
    previous: "Vorheriges Dokument",
    next: "Nächstes Dokument",
    position: (n, total) => `${n} von ${total}`,
    page: (n, total) => `Seite ${n} von ${total}`,
    zoomIn: "Vergrößern",
    zoomOut: "Verkleinern",
    readingView: "Leseansicht",
    pageView: "Seitenansicht",
    originalPdf: "Original-PDF",
    download: "Herunterladen",
    loading: "Das Dokument wird geladen",
    failed: "Dieses Dokument konnte nicht geladen werden.",
    tryAgain: "Erneut versuchen",
    noText:
      "Dieses Dokument ist ein Scan: Es enthält Bilder der Seiten, aber keinen Text. Sehen Sie sich die Seiten an oder öffnen Sie das Original-PDF.",
    fit: "An die Breite anpassen",
    textLarger: "Größerer Text",
    textSmaller: "Kleinerer Text",
    readAsText: "Zu klein gedruckt? Als Text lesen",
  },
  ui: {
    close: "Schließen",
    loading: "Wird geladen",
  },
};
