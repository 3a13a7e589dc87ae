import type { MetricsTexts } from "./texts";

export const de: MetricsTexts = {
  title: "Metriken",
  intro: "Metriken für Experimente und Holdouts",
  metric: "Metrik",
  measured: "Gemessen als",
  usedBy: "Verwendet von",
  change: "Ändern",
  unused: "Nicht verwendet",
  declare: "Metrik erstellen",
  empty: "Noch keine Metriken",
  emptyHint:
    "Eine deklarierte Metrik sagt, welche Richtung besser ist und wie aus Werten eine Zahl wird. Von der ersten an werden Werte unter anderen Namen abgelehnt.",
  editShort: "Bearbeiten",
  undeclared: "Empfangen, aber nicht definiert",
  undeclaredHint:
    "Werte mit diesen Namen sind eingegangen. Definieren Sie jede Metrik, um sie in Ergebnissen zu verwenden.",
  declareShort: "Metrik definieren",
  review: "Änderungen prüfen",
  edit: (metric) => `${metric} bearbeiten`,
  remove: (metric) => `${metric} entfernen`,
  declareThis: (metric) => `${metric} deklarieren`,
  divides: (metric) => `Nenner von ${metric}`,
  saved: (version) => `Gespeichert als Version ${version}.`,
  roles: { goal: "Zielmetrik", guardrail: "Schutzmetrik", secondary: "Nebenmetrik" },
};
