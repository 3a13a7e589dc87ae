import type { ConfigurationTexts } from "./texts";

export const de: ConfigurationTexts = {
  environment: "Umgebung",
  none: "Es gibt noch keine Umgebung.",
  noneIsMine: "Sie haben auf keine Umgebung Zugriff.",
  notThere: (missing, env) =>
    `Die Umgebung ${missing} gibt es nicht, oder Sie haben keinen Zugriff. Angezeigt wird ${env}.`,
  noneHint: "Eine Umgebung enthält einen Satz Flags, etwa für den Betrieb oder für Tests.",
  addFirst: "Umgebung hinzufügen",
  askAdmin: "Bitten Sie einen Admin, eine Umgebung hinzuzufügen.",
  keyForm:
    "Verwenden Sie 1 bis 100 Kleinbuchstaben, Ziffern, Punkte, Bindestriche und Unterstriche. Beginnen Sie mit einem Buchstaben oder einer Ziffer.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Kommentar",
  showChanges: "Änderungen anzeigen",
  reverted: (version) => `Version ${version} wiederhergestellt`,
  notReverted:
    "Nicht wiederhergestellt: Ein anderer Benutzer hat eine Änderung gespeichert. Siehe Verlauf.",
  planTitle: "Änderung planen",
  planWhat: "Änderung",
  whats: {
    on: "Einschalten",
    off: "Ausschalten",
    edited: "Speichern, wie es gerade bearbeitet wird",
  },
  planned: {
    on: (flag) => `${flag} einschalten`,
    off: (flag) => `${flag} ausschalten`,
    edited: (flag) => `${flag} ändern`,
  },
  planAt: "Datum und Uhrzeit",
  inZone: (zone) => `In ${zone}.`,
  planHint:
    "Andere Änderungen bleiben erhalten. Ändert ein anderer Benutzer dieses Flag vorher, schlägt die geplante Änderung fehl.",
  planIt: "Änderung planen",
  isPlanned:
    "Geplant. Die Änderung steht unter „Geplante Änderungen“ und kann dort abgesagt werden.",
  isPlannedIfApproved:
    "Geplant. Die Änderung muss vor diesem Zeitpunkt freigegeben werden. Siehe „Freigaben“.",

  copyTitle: (flag) => `${flag} kopieren`,
  copyHint:
    "Einschließlich der Segmente und Merkmale, die das Flag verwendet. Der Ein/Aus-Zustand in der Zielumgebung ändert sich nicht.",
  copyTo: "In die Umgebung",
  copyComment: (flag, from) => `${flag} aus ${from} kopiert`,
  copied: (flag, to) => `${flag} nach ${to} kopiert`,
  restored: "Was noch nicht gespeichert war, ist wieder da.",
  discardDraft: "Änderungen verwerfen",
  unsaved: "Nicht gespeicherte Änderungen",
  newUnsaved: "Nicht gespeichert",
  discard: "Verwerfen",
  review: "Prüfen und speichern",
};
