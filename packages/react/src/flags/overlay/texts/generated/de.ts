// Generated from de.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("de");

/** The words of de.arb. */
export const texts: Texts = {
  lang: "de",
  dir: "ltr",
  title: "Flags",
  open: "Flags anzeigen",
  close: "Schließen",
  search: "Flags suchen",
  nobody: "Noch ist kein Nutzer gesetzt.",
  person: "Person",
  version: "Version",
  none: "Hier gibt es keine Flags.",
  why: "Warum",
  state: "Stand",
  status: {
    fresh: "aktuell",
    cached: "aus dem Zwischenspeicher",
    fallback: "keine Antwort, Ersatzwert wird gezeigt",
  },
  stored: "Gespeichert",
  reads: "Hängt ab von",
  here: "Auf diesem Gerät",
  asDecided: "wie entschieden",
  apply: "Setzen",
  reset: "Zurücksetzen",
  resetAll: "Alle zurücksetzen",
  changed: (n: number) => `${numbers.format(n)} hier geändert`,
  noJson: "Das ist kein JSON.",
  experiments: "Experimente",
  holdouts: "Holdouts",
  phase: "Phase",
  group: {
    HELD_OUT: "zurückgehalten",
    COMPARISON: "zum Vergleich",
    GENERAL: "nicht zurückgehalten",
  },
};
