// Generated from fr.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("fr");

/** The words of fr.arb. */
export const texts: Texts = {
  lang: "fr",
  dir: "ltr",
  title: "Flags",
  open: "Afficher les flags",
  close: "Fermer",
  search: "Rechercher des flags",
  nobody: "Aucun utilisateur n’est encore indiqué.",
  person: "Personne",
  version: "Version",
  none: "Aucun flag ici.",
  why: "Raison",
  state: "État",
  status: {
    fresh: "à jour",
    cached: "depuis le cache",
    fallback: "aucune réponse, valeur de repli affichée",
  },
  stored: "Enregistré",
  reads: "Dépend de",
  here: "Sur cet appareil",
  asDecided: "comme décidé",
  apply: "Définir",
  reset: "Réinitialiser",
  resetAll: "Tout réinitialiser",
  changed: (n: number) => `${numbers.format(n)} modifiés ici`,
  noJson: "Ce n’est pas du JSON.",
  experiments: "Expériences",
  holdouts: "Groupes exclus",
  phase: "phase",
  group: {
    HELD_OUT: "exclu",
    COMPARISON: "comparé",
    GENERAL: "non exclu",
  },
};
