import type { Texts } from "./texts";

export const de: Texts = {
  lang: "de",
  dir: "ltr",
  consent: {
    title: "Vertragsbedingungen",
    description: "Um fortzufahren, müssen Sie den Bedingungen zustimmen",
    agreeAll: "Allen zustimmen",
    agreeAllNote: (total) => `Alle ${total} Dokumente unten, auch die freiwilligen`,
    optional: "Freiwillig",
    changed: "Geändert",
    accept: "Zustimmen und fortfahren",
    back: "Zurück",
    close: "Schließen",
    open: (title) => `${title} öffnen`,
    openAll: "Alle Dokumente öffnen",
    requiredLeft: (n) =>
      n === 1 ? "Noch 1 erforderliche Zustimmung" : `Noch ${n} erforderliche Zustimmungen`,
    loading: "Die Bedingungen werden geladen",
    loadingSlow: "Es wird noch geladen. Die Verbindung ist langsam.",
    sending: "Wird gesendet",
    saved: "Ihre Entscheidung ist gespeichert.",
    noTerms: "Zurzeit gibt es keine Bedingungen, denen Sie zustimmen müssten.",
    loadFailed: "Die Bedingungen konnten nicht geladen werden.",
    viewerFailed:
      "Das Dokument konnte nicht geöffnet werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
    tryAgain: "Erneut versuchen",
    submitFailed: {
      offline: "Es kam keine Antwort. Versuchen Sie es erneut: Nichts wird doppelt gespeichert.",
      changed:
        "Die Bedingungen haben sich inzwischen geändert. Sehen Sie sich die als geändert markierten an und stimmen Sie erneut zu.",
      signedOut:
        "Sie sind abgemeldet. Melden Sie sich an und versuchen Sie es erneut: Nichts wird doppelt gespeichert.",
      rateLimited:
        "Zu viele Versuche von hier. Warten Sie und versuchen Sie es dann erneut: Nichts wird doppelt gespeichert.",
      clock:
        "Die Uhr dieses Geräts geht vor. Stellen Sie Datum und Uhrzeit auf automatisch und versuchen Sie es erneut.",
      refused:
        "Der Server hat dies nicht angenommen. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
      slow: "Das dauert länger als sonst. Warten Sie, oder versuchen Sie es erneut: Nichts wird doppelt gespeichert.",
      server:
        "Der Server konnte dies nicht bestätigen. Versuchen Sie es erneut: Nichts wird doppelt gespeichert.",
    },
    wait: (seconds) =>
      seconds === 1
        ? "Der Server bittet, 1 Sekunde zu warten."
        : `Der Server bittet, ${seconds} Sekunden zu warten.`,
    earlierUnknown:
      "Was Sie früher entschieden haben, konnte nicht geladen werden. Freiwillige Dokumente, die Sie nicht anrühren, bleiben, wie sie sind.",
    declined:
      "Dem haben Sie früher nicht zugestimmt. Dabei bleibt es, wenn Sie es nicht hier ankreuzen.",
    agreeAllExcept: "Die Dokumente unten, außer denen, die ein eigenes Kreuz brauchen",
    cleared:
      "15 Minuten lang hat niemand den Bildschirm berührt, deshalb wurden die Kreuze entfernt.",
    pending: {
      sending: (at) =>
        `Die Zustimmung vom ${at} wird noch einmal gesendet. Gespeichert wird sie nur einmal.`,
      unanswered: (at) =>
        `Am ${at} haben Sie zugestimmt, und bisher kam keine Antwort. Versuchen Sie es erneut: Nichts wird doppelt gespeichert.`,
      expired: (at) =>
        `Am ${at} haben Sie zugestimmt, und es kam keine Antwort. Es ist zu lange her, um noch zu fragen, ob die Zustimmung gespeichert wurde.`,
      decideAnew: "Zu den Dokumenten",
      whose: (at) =>
        `Eine Zustimmung, die am ${at} auf diesem Gerät gegeben wurde, ist gespeichert. Waren Sie das?`,
      mine: "Ja, Beleg anzeigen",
      notMine: "Nein, das war jemand anderes",
    },
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
  changes: {
    show: "Änderungen zeigen",
    between: (before, now) => `Fassung ${before} gegen Fassung ${now}, nach ihren Wörtern.`,
    counted: (added, removed) => `Neue Wörter: ${added}. Gestrichene Wörter: ${removed}.`,
    addedSign: "Neu",
    removedSign: "Gestrichen",
    added: "Neu: ",
    removed: "Gestrichen: ",
    end: ". Ende. ",
    unchanged: (n) => (n === 1 ? "1 Absatz ohne Änderung" : `${n} Absätze ohne Änderung`),
    more: "Es gibt noch mehr. Öffnen Sie das Dokument, um alles zu lesen.",
    same: "Die Wörter sind dieselben. Bilder und Gestaltung werden nicht verglichen.",
    different:
      "Es hat sich zu viel geändert, um es Wort für Wort zu zeigen. Bitte lesen Sie den neuen Text im Ganzen.",
    textless:
      "Eines der beiden ist ein Scan ohne Text, deshalb lassen sie sich nicht vergleichen. Bitte lesen Sie das neue Dokument im Ganzen.",
    otherLanguage:
      "Die frühere Fassung gibt es nicht in dieser Sprache, deshalb lassen sich die beiden nicht vergleichen.",
    failed: "Die Texte konnten nicht geladen werden.",
    formerPdf: "Frühere Fassung (PDF)",
  },
  ui: {
    status: {
      WORKING: "Im Dienst",
      LATE: "Verspätet",
      NOT_WORKING: "Nicht im Dienst",
      STARTING_SOON: "Beginnt bald",
      FINISHING_SOON: "Endet bald",
      OVERTIME: "Überstunden",
      PENDING: "Ausstehend",
      EVALUATED: "Bewertet",
      IN_DISCUSSION: "Im Gespräch",
      NO_SHOW: "Nicht gekommen",
      ACCEPTED: "Angenommen",
      REJECTED: "Abgelehnt",
      ACHIEVED: "Erreicht",
      UNACHIEVED: "Nicht erreicht",
      ONGOING: "Läuft",
    },
  },
};
