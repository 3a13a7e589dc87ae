import { plural } from "../../language/plural";
import type { ExperimentsTexts } from "./texts";

export const de: ExperimentsTexts = {
  title: "Experimente",
  intro:
    "Welche Variante eines Flags besser abschneidet, herausgefunden an Personen, die nichts davon wissen.",
  create: "Neues Experiment",
  find: "Nach Name, Flag oder Verantwortlichen suchen",
  status: "Status",
  anyStatus: "Alle",
  statuses: { running: "Läuft", draft: "Entwurf", stopped: "Angehalten", shipped: "Ausgeliefert" },
  key: "Experiment",
  flag: "Flag",
  arms: "Varianten",
  people: "Personen bisher",
  phase: (phase) => `Phase ${phase}`,
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
  draft: "Entwurf: Niemand ist darin, bis es gestartet wird.",
  flagIsOff: (flag) => `Das Flag ${flag} ist aus, niemand begegnet also einer Variante.`,
  actions: {
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
    unreadable: {
      weights_changed:
        "Nach diesen Ergebnissen nicht ausliefern: Die Gewichte wurden in dieser Phase geändert. Beginne eine neue Phase.",
      sample_ratio_mismatch:
        "Nach diesen Ergebnissen nicht ausliefern: Die Personen kamen nicht im Verhältnis der Gewichte, also ist keine Variante als besser erwiesen. Finde die Ursache und beginne eine neue Phase.",
      multiple_exposures:
        "Nach diesen Ergebnissen nicht ausliefern: Zu viele Personen begegneten mehr als einer Variante, also ist keine als besser erwiesen. Finde die Ursache und beginne eine neue Phase.",
    },
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
  decisions: {
    title: "Entscheidungen",
    hint: "Jede steht mit dem, was die Ergebnisse damals sagten, und wird nie geändert.",
    none: "Noch wurde nichts entschieden. Ausliefern und Anhalten werden mit deinem Kommentar festgehalten.",
    record: "Entscheidung zum Weiterlaufen festhalten",
    recordHint:
      "Nichts ändert sich. Es steht dann da, dass jemand die Ergebnisse las und sich fürs Weiterlaufen entschied.",
    reason: "Warum",
    save: "Festhalten",
    kinds: { ship: "Ausgeliefert", stop: "Angehalten", continue: "Läuft weiter" },
    shipped: (variation) => `${variation} ausgeliefert`,
    by: (who, when) => `${who}, ${when}`,
    somebody: "jemand, der gelöscht wurde",
    shown: "Was die Ergebnisse sagten",
    notRecorded:
      "Gespeichert, aber die Entscheidung ließ sich nicht festhalten: Halte sie unten fest.",
  },
  setUp: {
    newTitle: "Neues Experiment",
    newIntro: "Nichts geschieht, bevor du die Änderung angesehen und gespeichert hast.",
    editTitle: (key) => `${key} bearbeiten`,
    what: "Was ausprobiert wird",
    flagHint: "Eines mit mindestens zwei Varianten.",
    keyField: "Name des Experiments",
    keyHint: "Ereignisse tragen ihn, und er bleibt. Buchstaben, Ziffern, Punkte, Striche.",
    hypothesisHint: "Was du erwartest und warum. Wer die Ergebnisse liest, wird froh darum sein.",
    split: "Wer was bekommt",
    splitHint: "In Prozent. Eine Variante mit 0 wird nicht gezogen.",
    weightOf: (arm) => `${arm}, in Prozent`,
    equal: "Gleich verteilen",
    sum: (percent) => `${percent} insgesamt`,
    who: "Wer teilnimmt",
    coverage: "Anteil des Traffics, in Prozent",
    coverageHint:
      "Fang klein an, wenn eine Variante schaden könnte. Später können mehr dazukommen, ohne dass jemand wechselt.",
    unit: "Zuteilung nach",
    unitHint:
      "Das Merkmal, das Personen unterscheidet. Derselbe Wert bekommt immer dieselbe Variante.",
    fallbackUnit: "Wo das fehlt, nach",
    fallbackHint: "Damit jemand, der sich bewirbt, die Variante auch als Fahrer behält.",
    none: "nichts",
    sticky: "Personen behalten ihre Variante",
    stickyHint: "Auch wenn sich Gewichte oder Bedingungen ändern. Kostet je Person etwas Speicher.",
    layer: "Ebene",
    layerHint:
      "Experimente einer Ebene teilen sich keine Person und können einander also nicht stören.",
    noLayer: "Keine",
    newLayer: "Eine neue Ebene…",
    layerName: "Name der Ebene",
    from: "Von, in Prozent",
    to: "Bis, in Prozent",
    place: "Unter den Regeln des Flags",
    places: { last: "Nach den anderen", first: "Vor den anderen" },
    placeHint:
      "Die erste passende Regel entscheidet. Unter welcher Bedingung jemand hereinkommt, steht beim Flag.",
    phase: "Mit dieser Änderung eine neue Phase beginnen",
    phaseHint:
      "Gewichte oder Einheit ändern sich. In einer Phase würden sich alte und neue Verhältnisse mischen.",
    sampleSize: "Stichprobengröße und Dauer",
    effect: "Kleinster lohnender Effekt, in Prozent",
    effectHint:
      "Vom Wert der Zielmetrik: Bei 10 % würden aus 14,0 % entweder 12,6 % oder 15,4 %. Ein kleinerer Effekt braucht viel mehr Personen.",
    rate: "Erwarteter Wert ohne die Änderung, in Prozent",
    rateHint: "Diese Metrik hat noch niemand gemeldet; sag also, was du erwartest.",
    noEffect:
      "Geben Sie den kleinsten lohnenden Effekt an, um zu sehen, wie viele Personen es braucht. Mit 0 wird nichts geplant.",
    sizeUnknown:
      "Wähle ein Flag, eine Zielmetrik und Gewichte, um zu sehen, wie viele Personen das braucht.",
    noValues: (metric) =>
      `Nichts, wonach sich planen ließe: keine Werte von ${metric} in den letzten 28 Tagen.`,
    needed: (people) => `Etwa ${people} Personen in allen Varianten.`,
    days: plural("de", { one: "Etwa # Tag.", other: "Etwa # Tage." }),
    tooFew: "Dafür kommen zu wenige: Wähle einen größeren Effekt oder mehr Traffic.",
    traffic: (people, unit) =>
      `${people} Personen wurden in den letzten 28 Tagen gesehen, unterschieden nach ${unit}: in Experimenten und Zurückhaltungen oder mit einem Wert.`,
    baseline: (metric, value) => `${metric} bei ihnen: ${value}.`,
    power: (effect) =>
      `Mit so vielen wird eine Änderung um ${effect} in vier von fünf Tests gefunden. Die Ergebnisse darf man täglich lesen, und vielleicht zeigen sie es früher. Mindestens eine Woche, denn Wochentage unterscheiden sich.`,
    comparisons: (count) =>
      `Korrigiert für ${count} Varianten, die verglichen werden (Bonferroni).`,
    happens: "Was geschehen wird",
    reaches: (flag) => `Wer zu dieser Regel von ${flag} kommt, kann teilnehmen.`,
    when: (condition) => `Ihre Bedingung: ${condition}.`,
    part: (percent) => `${percent} davon nehmen teil.`,
    partOfLayer: (percent, layer) => `${percent} davon nehmen teil, aus der Ebene ${layer}.`,
    others: (fallback) => `Für alle anderen entscheiden die Regeln darunter, zuletzt ${fallback}.`,
    drawn: (unit) => `Gezogen wird nach ${unit}: Dieselbe Person bekommt immer dasselbe.`,
    stays: "Wer einmal eine Variante hat, behält sie.",
    counted: (metric, direction) =>
      `Beurteilt nach ${metric}, gezählt ab der ersten Teilnahme jeder Person. ${direction}.`,
    guarded: (metrics) => `Darf nicht schlechter werden: ${metrics}.`,
    notCounted:
      "Keine Zielmetrik gewählt: Gezählt wird die Teilnahme, aber nicht, was daraus wird.",
    heldOut: (holdouts) => `Vorher ausgenommen: die Zurückgehaltenen von ${holdouts}.`,
    review: "Änderung ansehen",
    start: "Ansehen und starten",
    plan: "Ansehen und als Entwurf speichern",
    faults: {
      flag: "Wähle ein Flag.",
      key: "Gib ihm einen Namen.",
      keyTaken: "Ein Experiment mit diesem Namen gibt es schon.",
      keyForm:
        "Nur Kleinbuchstaben, Ziffern, Punkte, Binde- und Unterstriche; zuerst ein Buchstabe oder eine Ziffer, höchstens 100.",
      arms: "Mindestens zwei Varianten brauchen einen Anteil.",
      sum: "Die Anteile müssen 100 % ergeben.",
      coverage: "Mehr als 0 und höchstens 100.",
      slot: "Vom kleineren zum größeren Wert, zwischen 0 und 100.",
      slotTaken: "Ein anderes Experiment der Ebene hat einen Teil davon.",
      effect: "0 oder mehr. Mit 0 wird kein Umfang geplant.",
    },
  },
};
