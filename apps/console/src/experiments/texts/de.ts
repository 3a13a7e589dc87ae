import type { ExperimentsTexts } from "./texts";

export const de: ExperimentsTexts = {
  title: "Experimente",
  intro:
    "Welche Variante eines Flags besser abschneidet, herausgefunden an Personen, die nichts davon wissen.",
  create: "Neues Experiment",
  find: "Nach Name, Flag oder Verantwortlichen suchen",
  status: "Status",
  anyStatus: "Alle",
  statuses: { running: "Läuft", draft: "Geplant", stopped: "Angehalten", shipped: "Ausgeliefert" },
  key: "Experiment",
  flag: "Flag",
  arms: "Varianten",
  people: "Personen bisher",
  phase: (phase) => `Phase ${phase}`,
  warnings: {
    sample_ratio_mismatch: "Verhältnis stimmt nicht",
    multiple_exposures: "Personen in zwei Varianten",
  },
  flagOff: "Flag ist aus",
  shown: (count) => `${count} gezeigt`,
  none: "Noch kein Experiment",
  noneHint:
    "Ein Experiment gibt jeder Person zufällig eine der Varianten eines Flags und zählt, was daraus wird. Nimm ein Flag mit zwei Varianten, sag, wie viele teilnehmen und was besser werden soll.",
  nothing: "Kein solches Experiment.",
  nothingHint: "Vielleicht hilft ein anderes Wort oder ein anderer Status.",
  clear: "Leeren",
  unknown: "Dieses Experiment gibt es hier nicht",
  unknownText: "Vielleicht gehört es zu einer anderen Umgebung, oder sein Flag wurde gelöscht.",
  gone: "Dieses Experiment steht nicht mehr in den Flags. Was es gezeigt hat, bleibt.",
  all: "Alle Experimente",
  edit: "Bearbeiten",
  hypothesis: "Hypothese",
  hypothesisNone: "Keine Hypothese notiert.",
  shipped: (winner) => `Alle bekommen jetzt ${winner}. Niemand wird mehr gezählt.`,
  stopped: "Angehalten: Niemand ist darin, niemand wird gezählt. Was gesehen wurde, bleibt.",
  draft: "Geplant: Niemand ist darin, bis es gestartet wird.",
  flagIsOff: (flag) => `Das Flag ${flag} ist aus, niemand begegnet also einer Variante.`,
  deeds: {
    start: "Starten",
    startAgain: "Wieder starten",
    stop: "Anhalten",
    stopText: (fallback) =>
      `Danach bekommt niemand mehr eine Variante daraus: Die Regeln darunter entscheiden, zuletzt ${fallback}.`,
    ship: "Sieger ausliefern",
    shipText:
      "Alle, auf die die Regel passt, bekommen den Sieger. Wer in einer Zurückhaltung ist, bleibt es.",
    winner: "Sieger",
    better: "besser",
    notShown: "nicht als besser erwiesen",
    notShownText:
      "Die Ergebnisse zeigen nicht, dass diese Variante besser ist. Liefere sie nur aus einem anderen guten Grund aus, und nenne ihn im Kommentar.",
    phase: "Neue Phase",
    phaseText:
      "Das Zählen beginnt von vorn; frühere Phasen bleiben lesbar. Nötig, wenn Gewichte geändert wurden oder eine Variante etwas anderes tut.",
    same: "Alle behalten ihre Variante",
    sameText: "Für eine Änderung, die niemand bemerken würde.",
    redrawn: "Alle neu ziehen",
    redrawnText: "Damit nicht zählt, was jemand von vorher kannte.",
    next: "Weiter",
    saved: (version) => `Als Version ${version} gespeichert.`,
  },
};
