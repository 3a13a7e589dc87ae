// Generated from it.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("it");

/** The words of it.arb. */
export const texts: Texts = {
  lang: "it",
  dir: "ltr",
  title: "Flag",
  open: "Mostra i flag",
  close: "Chiudi",
  search: "Cerca flag",
  nobody: "Nessun utente è ancora impostato.",
  person: "Persona",
  version: "Versione",
  none: "Qui non ci sono flag.",
  why: "Motivo",
  state: "Stato",
  status: {
    fresh: "aggiornato",
    cached: "dalla cache",
    fallback: "nessuna risposta, valore di riserva mostrato",
  },
  stored: "Salvato",
  reads: "Dipende da",
  here: "Su questo dispositivo",
  asDecided: "come deciso",
  apply: "Imposta",
  reset: "Ripristina",
  resetAll: "Ripristina tutto",
  changed: (n: number) => `${numbers.format(n)} modificati qui`,
  noJson: "Questo non è JSON.",
  experiments: "Esperimenti",
  holdouts: "Gruppi esclusi",
  phase: "fase",
  group: {
    HELD_OUT: "escluso",
    COMPARISON: "di confronto",
    GENERAL: "non escluso",
  },
};
