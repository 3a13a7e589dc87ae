import type { EnvironmentsTexts } from "./texts";

export const de: EnvironmentsTexts = {
  owner: "Zuständig",
  older: "Ältere zeigen",
  discard: "Verwerfen",

  historyTitle: "Verlauf der Flags",
  historyIntro: (zone) =>
    `Jede Version, die je galt, die neueste zuerst. Wählen Sie eine, um zu sehen, was sie geändert hat. Zeiten in ${zone}.`,
  noHistory: "Hier wurde noch nichts gespeichert.",
  noHistoryHint:
    "Jede Änderung an einem Flag, Segment oder Holdout ist eine Version, zu der man zurückkehren kann.",
  noComment: "Ohne Begründung",
  byItself: "von selbst oder per Befehl",
  current: "aktuell",
  compared: "Zwei Versionen im Vergleich",
  from: "Von Version",
  to: "Zu Version",
  closeCompared: "Schließen",
  goBackTo: (version) => `Zurück zu Version ${version}`,
  goBackComment: (version) => `zurück zu Version ${version}`,

  plannedTitle: "Geplante Änderungen",
  plannedIntro: (zone) =>
    `Änderungen, die von selbst eintreten, zu ihrer eigenen Zeit. Zeiten in ${zone}.`,
  newPlan: "Änderung planen",
  noPlans: "Es ist nichts geplant.",
  noPlansHint:
    "Planen Sie eine, wenn ein Flag am Montag um neun angehen soll und dafür niemand da sein muss.",
  statuses: {
    waiting: "wartet",
    done: "erledigt",
    cancelled: "abgesagt",
    refused: "abgelehnt",
  },
  plannedBy: (author, at) => `Geplant von ${author}, ${at}`,
  refusedBecause: "Sie ist nicht eingetreten: Bis dahin hatte jemand dasselbe geändert.",
  whatChanges: "Was sich ändert",
  cancelPlan: "Änderung absagen",
  cancelTitle: "Diese geplante Änderung absagen?",
  cancelText: (at) => `Am ${at} geschieht dann nichts.`,
  cancelled: "Die geplante Änderung ist abgesagt.",
  copyAll: "Alles kopieren aus …",
  copyAllTitle: (to) => `Alles nach ${to} kopieren`,
  copyAllHint: "Flags, die es nur hier gibt, werden entfernt. Vor dem Speichern sehen Sie alles.",
  copyFrom: "Aus der Umgebung",
  copyAllComment: (from, version) => `aus ${from} kopiert, Version ${version}`,
  copiedAll: (from, to) => `${to} ist jetzt wie ${from}.`,

  staleTitle: "Überholte Flags",
  staleIntro:
    "Flags, die nichts mehr entscheiden. Entfernen Sie sie erst aus dem Code der Apps, dann hier.",
  why: "Warum",
  asked: "Abgefragt",
  reasons: {
    one_value: (days, variation) => `Seit ${days} Tagen bekamen alle „${variation}“.`,
    unused: (days) => `Seit ${days} Tagen hat keine App danach gefragt.`,
    rollout_complete: () => "Es hat inzwischen alle erreicht.",
  },
  noStale: "Kein Flag ist überholt.",
  noStaleHint: (days) =>
    `Hier erscheinen Flags, die seit ${days} Tagen allen dasselbe geben, nach denen niemand fragt oder die alle erreicht haben.`,

  jsonTitle: "Flags als JSON",
  jsonIntro: "Die ganze Konfiguration als ein Text, für Änderungen an vielen Stellen zugleich.",
  jsonRestored: "Was Sie zuvor getippt haben, ist noch da.",
  noJson: (line, column) => `Ungültiges JSON in Zeile ${line}, Spalte ${column}.`,
  line: (line) => `Zeile ${line}`,
  noFaults: "Keine Fehler. Es lässt sich speichern.",
  check: "Prüfen",
  review: "Ansehen und speichern",
  savedAs: (version) => `Gespeichert als Version ${version}.`,
  import: "Datei öffnen",
  export: "Herunterladen",
  flag: "Flag",
  showChanges: "Zeigen, was sich ändert",
  reverted: (version) => `Alles ist wieder wie in Version ${version}.`,
};
