// Generated from pl.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("pl");

/** The words of pl.arb. */
export const texts: Texts = {
  lang: "pl",
  dir: "ltr",
  title: "Flagi",
  open: "Pokaż flagi",
  close: "Zamknij",
  search: "Szukaj flag",
  nobody: "Nie ustawiono jeszcze użytkownika.",
  person: "Osoba",
  version: "Wersja",
  none: "Tu nie ma flag.",
  why: "Powód",
  state: "Stan",
  status: {
    fresh: "aktualny",
    cached: "z pamięci podręcznej",
    fallback: "brak odpowiedzi, pokazano wartość zastępczą",
  },
  stored: "Zapisano",
  reads: "Zależy od",
  here: "Na tym urządzeniu",
  asDecided: "zgodnie z decyzją",
  apply: "Ustaw",
  reset: "Przywróć",
  resetAll: "Przywróć wszystko",
  changed: (n: number) => `Zmieniono tu: ${numbers.format(n)}`,
  noJson: "To nie jest JSON.",
  experiments: "Eksperymenty",
  holdouts: "Grupy wyłączone",
  phase: "faza",
  group: {
    HELD_OUT: "wyłączona",
    COMPARISON: "porównawcza",
    GENERAL: "niewyłączona",
  },
};
