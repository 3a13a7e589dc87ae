import type { MarketsTexts } from "./texts";

export const de: MarketsTexts = {
  title: "Märkte",
  intro:
    "Ein Markt ist, wo jemand arbeitet: ein Land, ein Teil davon oder ein eigener Ort. Eine Bedingung für einen Markt gilt für alle darin.",
  market: "Markt",
  all: "Alle Märkte",
  add: "Markt hinzufügen",
  edit: "Bearbeiten",
  editThis: (code) => `${code} bearbeiten`,
  save: "Speichern",
  saved: (code) => `${code} ist gespeichert.`,
  change: "Ändern",
  code: "Code",
  codeHint: "DE, DE-BE oder DE-BE.berlin: Land, Landesteil, Ort.",
  noCode: "Das ist kein Code eines Marktes.",
  taken: "Diesen Code gibt es schon.",
  name: "Name",
  nameHint: "Wie Ihre Leute ihn nennen. Ein Land hat seinen Namen von selbst.",
  timezone: "Zeitzone",
  timezoneHint: "Zum Beispiel Europe/Berlin.",
  people: "Personen",
  terms: "Bedingungen",
  none: "Kein Markt ist angelegt.",
  noneHint:
    "Sie brauchen keinen, solange für alle dieselben Bedingungen gelten. Länder gehen auch ohne Anlegen.",
  remove: "Entfernen",
  removeThis: (code) => `${code} entfernen`,
  removeAsk: (code) => `${code} entfernen?`,
  removeHint: "Das geht nur, solange keine Person und keine Bedingung ihn benutzt.",
  removed: (code) => `${code} ist entfernt.`,
};
