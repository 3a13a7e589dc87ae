import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const de: PeopleTexts = {
  title: "Personen",
  intro: "Eine Person suchen und ihre Entscheidungen, Sitzungen und Flags ansehen.",
  search: "Personen suchen",
  searchHint: "ID, Name, E-Mail-Adresse oder Telefonnummer",
  role: "Rolle",
  anyRole: "Alle Rollen",
  person: "Person",
  reach: "Kontakt",
  since: "Hinzugefügt",
  shown: (people) => `${people} angezeigt`,
  nobody: "Keine Personen gefunden",
  nobodyHint: (typed) =>
    `Keine ID, E-Mail-Adresse oder Telefonnummer beginnt mit „${typed}“, und kein Name enthält es. Gelöschte Personen werden nicht aufgeführt.`,
  noOne: "Noch keine Personen",
  noOneHint: "Personen werden bei ihrer ersten Anmeldung, durch Import oder hier hinzugefügt.",
  roles: {
    rider: "Fahrer",
    worker: "Mitarbeit vor Ort",
  },
  roleHints: {
    rider: "Fährt Schichten und muss verpflichtenden Dokumenten zustimmen",
    worker: "Arbeitet vor Ort",
  },
  rolesTitle: "Rollen",
  add: "Person hinzufügen",
  added: (userId) => `${userId} hinzugefügt`,
  show: "Person öffnen",
  done: "Fertig",
  keptDraft: "Ihre frühere Eingabe wurde wiederhergestellt.",
  startOver: "Formular leeren",
  userId: "Benutzer-ID",
  userIdHint: "Die ID in Ihren eigenen Systemen. Sie kann nicht geändert werden.",
  name: "Name",
  email: "E-Mail",
  phone: "Telefon",
  phoneHint: "Mit Ländervorwahl, zum Beispiel +49 1512 3456789",
  errors: {
    userId: "Eine Benutzer-ID hat 1 bis 128 Zeichen und ist weder . noch ..",
    email: "Geben Sie eine gültige E-Mail-Adresse ein.",
    phone: "Geben Sie eine gültige Telefonnummer mit Ländervorwahl ein.",
  },
  importing: {
    title: "Personen importieren",
    action: "Personen importieren",
    columns: "Eine CSV-Datei mit Kopfzeile und beliebigen dieser Spalten:",
    rules:
      "Eine Zeile mit vorhandener ID aktualisiert diese Person. Eine fehlende Spalte ändert nichts. Eine leere Zelle löscht den Wert. Trennen Sie Rollen durch Leerzeichen. Enthält eine Zeile einen Fehler, wird nichts importiert.",
    drop: "Eine CSV-Datei hierher ziehen",
    choose: "Datei auswählen",
    would: (added, changed, same) =>
      `${added} Personen hinzuzufügen, ${changed} zu ändern, ${same} unverändert`,
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
    "Für einen Benutzer, der sich nicht anmelden kann. Der Link gilt einmal. Das aktuelle Passwort gilt, bis der Link verwendet wird.",
  linkHint:
    "Senden Sie diesen Link dem Benutzer auf sicherem Weg. Er wird nur einmal angezeigt und gilt einmal. Die Person, die den Link öffnet, legt das Passwort fest.",
  linkSent: "Der Link wurde an die E-Mail-Adresse dieser Person geschickt.",
  linkNotSent: "Die Nachricht mit dem Link wurde nicht zugestellt. Erstellen Sie einen neuen Link.",
  linkUntil: (instant) => `Läuft ab: ${instant}`,
  copyLink: "Link kopieren",
};
