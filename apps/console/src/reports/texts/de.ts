import type { ReportsTexts } from "./texts";

export const de: ReportsTexts = {
  title: "Bericht über Entscheidungen",
  intro:
    "Bewertungen, Widersprüche und Einschränkungen nach Monat und Markt. Er enthält keine Personen.",
  rule: "Anzahlen unter 10 werden als <10 angezeigt. Summen, die eine solche Anzahl verraten würden, sind ausgeblendet. Monate in UTC.",
  from: "Von",
  to: "Bis",
  market: "Markt",
  allMarkets: "Alle Märkte",
  everywhere: "Alle Märkte",
  month: "Monat und Markt",
  evaluations: "Bewertungen",
  contests: "Widersprüche",
  restrictions: "Einschränkungen",
  reviews: "Überprüfungen von Einschränkungen",
  total: "Gesamt",
  contested: "Mit Widerspruch",
  overturned: "Zugunsten der Fahrer geändert",
  median: "Median der Antwortzeit",
  p90: "90. Perzentil",
  hours: (hours) => `${hours} Std.`,
  outcomes: {
    open: "Offen",
    upheld: "Bestätigt",
    changed: "Verkürzt",
    lifted: "Aufgehoben",
  },
  suppressed: "ausgeblendet",
  nothing: "Der Bericht enthält diesen Markt nicht.",
  shown: (count) => `${count} Zeilen`,
  home: {
    title: "Was Sie lesen können",
    terms: "Geltende und künftige Texte mit ihren Unterschieden",
    systems: "Programme, die Fahrer überwachen oder über sie entscheiden",
    report: "Anzahlen nach Monat und Markt",
  },
};
