import type { MetricsTexts } from "./texts";

export const de: MetricsTexts = {
  title: "Metriken",
  intro: "Was an Personen gemessen wird, welche Richtung besser ist und wo das entscheidet.",
  metric: "Metrik",
  measured: "Gemessen als",
  usedBy: "Verwendet von",
  change: "Ändern",
  unused: "noch nirgends",
  declare: "Metrik deklarieren",
  empty: "Noch ist keine Metrik deklariert.",
  emptyHint:
    "Eine deklarierte Metrik sagt, welche Richtung besser ist und wie aus Werten eine Zahl wird. Von der ersten an werden Werte unter anderen Namen abgelehnt.",
  editShort: "Bearbeiten",
  undeclared: "Gemeldet und nicht deklariert",
  undeclaredHint:
    "Unter diesen Namen kamen Werte. Solange sie niemand deklariert, sagt nichts, welche Richtung besser ist.",
  declareShort: "Deklarieren",
  review: "Änderung ansehen",
  edit: (metric) => `${metric} bearbeiten`,
  remove: (metric) => `${metric} entfernen`,
  declareThis: (metric) => `${metric} deklarieren`,
  divides: (metric) => `teilt ${metric}`,
  saved: (version) => `Gespeichert als Version ${version}.`,
  roles: { goal: "Ziel", guardrail: "Schutz", secondary: "neben" },
};
