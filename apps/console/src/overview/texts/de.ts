import { plural } from "../../language/plural";
import type { OverviewTexts } from "./texts";

export const de: OverviewTexts = {
  attention: "Zu erledigen",
  nothing: "Es gibt nichts zu erledigen.",
  draft: (title) => `Entwurf: ${title}`,
  untitled: "Ohne Titel",
  scheduled: (title, date) => `${title} tritt am ${date} in Kraft`,
  withdrawals: plural("de", {
    one: "# Widerruf in den letzten 7 Tagen",
    other: "# Widerrufe in den letzten 7 Tagen",
  }),
  approvals: plural("de", {
    one: "# Änderung wartet auf Freigabe",
    other: "# Änderungen warten auf Freigabe",
  }),
  mismatch: (key) => `${key}: Teilnehmer nicht wie geplant verteilt`,
  winner: (key) => `${key}: eine Variante ist besser`,
  harmed: (key) => `${key}: eine Schutzmetrik ist schlechter`,
  stale: plural("de", { one: "# veraltetes Flag", other: "# veraltete Flags" }),
  planned: plural("de", {
    one: "# geplante Änderung in den nächsten 7 Tagen",
    other: "# geplante Änderungen in den nächsten 7 Tagen",
  }),
  unsaved: (key) => `${key}: nicht gespeicherte Änderungen`,
  noBackup: "Noch keine Sicherung",
  oldBackup: "Die letzte Sicherung ist älter als 24 Stunden",
  notVerified: "Das Log wurde in den letzten 24 Stunden nicht geprüft",
  logErrors: "Die Prüfung des Logs ist fehlgeschlagen",
  webhook: (url) => `Webhook ${url} ist deaktiviert`,
  serviceKey: (name, date) => `Dienstschlüssel ${name} läuft am ${date} ab`,
  bypassed: plural("de", {
    one: "# übergangene Freigabe in den letzten 30 Tagen",
    other: "# übergangene Freigaben in den letzten 30 Tagen",
  }),
  codes: plural("de", {
    one: "# Code in den letzten 24 Stunden nicht zugestellt",
    other: "# Codes in den letzten 24 Stunden nicht zugestellt",
  }),
  discussions: plural("de", {
    one: "# offene Diskussion",
    other: "# offene Diskussionen",
  }),
  dueSoon: plural("de", {
    one: "# Antwort an Rider in den nächsten 4 Tagen fällig",
    other: "# Antworten an Rider in den nächsten 4 Tagen fällig",
  }),
  overdue: plural("de", {
    one: "# Antwort an Rider ist überfällig",
    other: "# Antworten an Rider sind überfällig",
  }),
  reviews: plural("de", {
    one: "# Überprüfung einer Einschränkung wartet auf Antwort",
    other: "# Überprüfungen von Einschränkungen warten auf Antwort",
  }),
  find: "Person suchen",
  findButton: "Suchen",
  lastPeople: "Zuletzt geöffnete Personen",
  trend: (points) => `${points} Punkte in 30 Tagen`,
  chart: "Zustimmungsquote, letzte 30 Tage",
  running: "Laufende Experimente",
  participants: plural("de", { one: "# Teilnehmer", other: "# Teilnehmer" }),
};
