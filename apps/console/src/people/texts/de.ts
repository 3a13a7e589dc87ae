import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const de: PeopleTexts = {
  title: "Personen",
  intro:
    "Jemanden nachschlagen: wozu zugestimmt wurde, wo jemand angemeldet ist, was jemand sieht.",
  search: "Eine Person nachschlagen",
  searchHint: "ID, Name, E-Mail oder Telefon",
  role: "Rolle",
  anyRole: "Alle Rollen",
  person: "Person",
  reach: "E-Mail und Telefon",
  since: "Seit",
  shown: (people) => `${people} angezeigt`,
  nobody: "Niemand passt.",
  nobodyHint: (typed) =>
    `Keine ID, E-Mail oder Telefonnummer beginnt mit „${typed}“, und kein Name enthält es. Gelöschte Personen werden nicht mehr gefunden.`,
  noOne: "Es gibt noch niemanden.",
  noOneHint:
    "Personen entstehen bei der ersten Anmeldung in Ihrer Anwendung, durch Import oder von Hand.",
  roles: {
    rider: "Fahrer",
    worker: "Mitarbeit vor Ort",
  },
  roleHints: {
    rider: "Wird um Zustimmung gebeten und fährt Schichten",
    worker: "Arbeitet vor Ort",
  },
  rolesTitle: "Rollen",
  add: "Person hinzufügen",
  added: (userId) => `${userId} ist hinzugefügt`,
  show: "Person anzeigen",
  done: "Fertig",
  keptDraft: "Was Sie zuvor getippt hatten, ist noch da.",
  startOver: "Neu beginnen",
  userId: "Benutzer-ID",
  userIdHint: "So wie Ihre eigenen Systeme die Person nennen. Sie bleibt für immer.",
  name: "Name",
  email: "E-Mail",
  phone: "Telefon",
  phoneHint: "Mit Landesvorwahl, etwa +49 1512 3456789",
  faults: {
    userId: "Eine Benutzer-ID hat 1 bis 128 Zeichen und ist weder . noch ..",
    email: "Das ist keine E-Mail-Adresse.",
    phone: "Das ist keine Telefonnummer.",
  },
  importing: {
    title: "Personen importieren",
    action: "Importieren…",
    columns: "Eine CSV-Datei mit Kopfzeile und beliebigen der Spalten",
    rules:
      "Zeilen mit bekannter ID ändern diese Person; eine fehlende Spalte ändert nichts, eine leere Zelle löscht. Mehrere Rollen trennt ein Leerzeichen. Es werden alle Zeilen übernommen oder keine.",
    drop: "Eine CSV-Datei hierher ziehen",
    choose: "Datei auswählen",
    would: (added, changed, same) =>
      `${added} würden hinzugefügt, ${changed} geändert, ${same} bleiben, wie sie sind.`,
    run: "Importieren",
    done: (added, changed) => `Importiert: ${added} hinzugefügt, ${changed} geändert.`,
    badRows: plural("de", {
      one: "# Zeile ist falsch. Es wurde nichts geändert.",
      other: "# Zeilen sind falsch. Es wurde nichts geändert.",
    }),
    more: (count) => `Und ${count} weitere.`,
  },
  newLink: "Anmeldelink erstellen",
  newLinkHint:
    "Für jemanden, der nicht mehr hineinkommt. Der Link gilt einmal; das bisherige Passwort gilt, bis er benutzt wird.",
  linkHint:
    "Geben Sie diesen Link auf sicherem Weg weiter. Er wird nur jetzt gezeigt und gilt einmal: Wer ihn öffnet, legt das Passwort fest.",
  linkSent: "Der Link wurde an die E-Mail-Adresse dieser Person geschickt.",
  linkNotSent: "Die Nachricht mit dem Link wurde nicht zugestellt. Erstellen Sie einen neuen Link.",
  linkUntil: (instant) => `Bis ${instant}`,
  copyLink: "Link kopieren",
};
