import type { ConfigurationTexts } from "./texts";

export const de: ConfigurationTexts = {
  environment: "Umgebung",
  none: "Es gibt noch keine Umgebung.",
  noneIsMine: "Keine der Umgebungen gehört zu Ihrer Rolle.",
  notThere: (missing, env) =>
    `Die Umgebung ${missing} gibt es hier nicht, oder sie gehört nicht zu Ihrer Rolle. Dies ist ${env}.`,
  noneHint: "Eine Umgebung enthält einen Satz Flags, etwa für den Betrieb oder für Tests.",
  addFirst: "Erste Umgebung anlegen",
  askAdmin: "Die erste legt jemand mit Admin-Rolle in den Einstellungen an.",
  keyForm:
    "1 bis 100 Kleinbuchstaben, Ziffern, Punkte, Binde- und Unterstriche; zuerst ein Buchstabe oder eine Ziffer.",
  tabs: { label: "Flags", flags: "Flags" },
  flag: "Flag",
  comment: "Kommentar",
  showChanges: "Zeigen, was sich ändert",
  reverted: (version) => `Alles ist wieder wie in Version ${version}.`,
  notReverted:
    "Nicht zurückgenommen: Inzwischen hat jemand anderes etwas geändert. Siehe den Verlauf.",
  planTitle: "Änderung planen",
  planWhat: "Was geschehen soll",
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
  planAt: "Wann",
  inZone: (zone) => `In ${zone}.`,
  planHint:
    "Was andere bis dahin ändern, bleibt. Ändert jemand genau dieses Flag, wird die Planung abgelehnt, statt das rückgängig zu machen.",
  planIt: "Planen",
  isPlanned: "Geplant. Es steht unter „Geplant“ und lässt sich dort absagen.",
  isPlannedIfApproved:
    "Geplant. Bis dahin müssen andere sie freigeben: Sie wartet unter „Freigaben“.",

  copyTitle: (flag) => `${flag} kopieren`,
  copyHint:
    "Mit den Segmenten und Merkmalen, die es braucht. Ob es dort eingeschaltet ist, bleibt, wie es ist.",
  copyTo: "In die Umgebung",
  copyComment: (flag, from) => `${flag} aus ${from} kopiert`,
  copied: (flag, to) => `${flag} ist jetzt in ${to}.`,
  restored: "Was noch nicht gespeichert war, ist wieder da.",
  discardDraft: "Verwerfen",
  unsaved: "Nicht gespeicherte Änderungen",
  newUnsaved: "Noch nicht gespeichert",
  discard: "Verwerfen",
  review: "Prüfen und speichern",
};
