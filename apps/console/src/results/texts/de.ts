import { plural } from "../../language/plural";
import type { ResultsTexts } from "./texts";

export const de: ResultsTexts = {
  people: "Personen",
  peopleHint: (unit) =>
    `Jede einmal gezählt, nach ${unit}, sobald sie ihrer Variante zum ersten Mal begegnet.`,
  arm: "Variante",
  count: "Personen",
  share: "Anteil",
  expected: "Erwartet",
  all: (count) => `${count} Personen insgesamt`,
  noWeight: "wird nicht mehr gezogen",
  ratioGood: (p) => `Sie kamen im Verhältnis der Gewichte (${p}).`,
  ratioEarly: "Noch zu wenige, um zu sagen, ob sie im Verhältnis der Gewichte kommen.",
  weightsOff: "Nicht lesen: Die Gewichte wurden in der Phase geändert",
  weightsOffText:
    "Die Gewichte der Varianten wurden geändert, während diese Phase lief. Personen von vor und nach der Änderung sind vermischt, darum lässt sich das Verhältnis nicht prüfen, und kein Unterschied weiter unten ist glaubhaft. Beginne eine neue Phase.",
  ratioOff: "Nicht lesen: Das Verhältnis der Stichprobe stimmt nicht",
  ratioOffText: (p) =>
    `Die Personen kamen nicht im Verhältnis der Gewichte. Zufällig geschähe das so gut wie nie (${p}). In einer Variante gingen unterwegs welche verloren, darum ist kein Unterschied weiter unten glaubhaft.`,
  ratioCauses: [
    "Eine Variante meldet die Teilnahme später, und manche gehen vorher.",
    "Die Meldung hängt an etwas, das nur eine Variante hat, etwa an einem geöffneten Bildschirm.",
    "Gewichte wurden während dieser Phase geändert: Danach muss eine neue Phase beginnen.",
  ],
  twice: (count, share) =>
    `${count} Personen (${share}) wurden in mehr als einer Variante gesehen; sie zählen in keiner.`,
  twiceOff: "Nicht lesen: Zu viele Personen wurden in zwei Varianten gesehen",
  twiceOffText: (count, share) =>
    `${count} Personen (${share}) begegneten mehr als einer Variante. Meist ist die Einheit nicht stabil: eine ID, die mit dem Gerät wechselt, oder Gewichte, die ohne neue Phase geändert wurden.`,
  asOf: (time) => `Stand ${time}. Wird alle 30 Sekunden erneuert.`,
  updating: "Wird aktualisiert…",
  since: (from, to) => `Erste Teilnahme ${from}, letzte ${to}.`,
  metric: "Ergebnisse der Metrik",
  metricHint: "Werte seit der ersten Teilnahme jeder Person.",
  metricField: "Metrik",
  metricNone: "Metrik wählen",
  metricNoneHint: "Hier ist keine Zielmetrik festgelegt. Nenne eine, die dein Dienst meldet.",
  show: "Zeigen",
  goal: "Besser ist",
  goals: { higher: "höher", lower: "niedriger" },
  measure: "Gemessen als",
  measures: { mean: "Durchschnitt je Person", proportion: "Anteil der Personen" },
  phase: "Phase",
  phaseName: (phase) => `Phase ${phase}`,
  phaseNow: (phase) => `Phase ${phase} (jetzt)`,
  baseline: "Vergleich",
  roles: { goal: "Zielmetrik", guardrail: "Schutzmetrik", secondary: "Nebenmetrik" },
  directions: { increase: "Höher ist besser", decrease: "Niedriger ist besser" },
  kinds: {
    sum: "Summe je Person",
    conversion: "Anteil der Personen",
    mean: "Mittel der Werte",
    ratio: "Verhältnis zweier Metriken",
  },
  columns: { sum: "Durchschnitt", conversion: "Anteil", mean: "Mittel", ratio: "Verhältnis" },
  overTime: "Verlauf",
  overTimeHint:
    "Der Unterschied am Ende jedes Tages (UTC), mit dem Intervall, das an ihm galt. Wer mehreren Varianten begegnete, zählt in keiner.",
  day: "Tag",
  asTable: (arm) => `${arm} als Tabelle`,
  daysToGo: plural("de", { one: "Noch etwa # Tag.", other: "Noch etwa # Tage." }),
  enoughPeople: "Es haben genug Personen teilgenommen.",
  enoughHint: (effect) =>
    `Eine Änderung um ${effect} wäre bis jetzt in vier von fünf Tests gefunden worden. Gibt es eine, ist sie wohl kleiner.`,
  nobodyComes: "In der letzten Woche kam niemand Neues.",
  neededSoFar: (units, needed) => `bisher ${units} von ${needed} Personen`,
  remainingHint: (effect, sizes) =>
    `Bis dahin wird eine Änderung um ${effect} in vier von fünf Tests gefunden (${sizes}). Vielleicht schon früher.`,
  corrected: (count) =>
    `${count} Varianten werden mit dem Vergleich verglichen: Die 95 % gelten für alle zusammen (Bonferroni).`,
  otherMetrics: "Schutz- und Nebenmetriken",
  otherMetricsHint:
    "Nicht für ihre Anzahl korrigiert: Die Zielmetrik entscheidet, und eine schlechtere Schutzmetrik ist ein Grund anzuhalten.",
  notWorse: "Nicht als schlechter erwiesen",
  undeclared: "In der Konfiguration nicht deklariert: gelesen wie hier gewählt.",
  inUnit: (written, unit) => `${written} ${unit}`,
  titleInUnit: (title, unit) => `${title} (${unit})`,
  difference: "Unterschied",
  interval: "95-%-Intervall",
  lift: "Zuwachs",
  range: (low, high) => `${low} bis ${high}`,
  points: (written) => `${written} Punkte`,
  reported: (count, all) => `${count} von ${all} Personen haben einen Wert`,
  cuped: "Bereinigt (CUPED)",
  cupedHint:
    "Was dieselben Personen in den 14 Tagen davor taten, ist herausgerechnet; das macht die Intervalle enger.",
  always:
    "Die Intervalle gelten, so oft man auch hinsieht: Durch tägliches Lesen geht nichts verloren.",
  between: (low, high) => `zwischen ${low} und ${high}`,
  better: (arm, between) => `${arm} ist besser: ${between}.`,
  worse: (arm, between) => `${arm} ist schlechter: ${between}.`,
  notYet: (arm, range) => `Noch offen bei ${arm}: Das Intervall, ${range}, enthält noch die 0.`,
  noData: (arm) =>
    `Über ${arm} lässt sich noch nichts sagen: weniger als 8 Personen, oder alle haben denselben Wert.`,
  noBaseline: (baseline) =>
    `Nichts lässt sich vergleichen: Bei ${baseline}, womit verglichen wird, hat niemand einen Wert.`,
  silent: (metric) => `${metric} wurde noch nie gemeldet. So meldet es dein Dienst:`,
  unreadableWeights: "Nicht lesen: Die Gewichte wurden in der Phase geändert.",
  unreadableRatio: "Nicht lesen: Das Verhältnis der Stichprobe stimmt nicht.",
  unreadableTwice: "Nicht lesen: Zu viele Personen wurden in zwei Varianten gesehen.",
  readings: {
    better: "Besser",
    worse: "Schlechter",
    not_yet: "Nicht eindeutig",
    no_data: "Keine Daten",
    unreadable: "Ungültig",
  },
  nobody: "Noch keine Teilnahme",
  nobodyText:
    "Bisher wurde niemand gezählt. Jemand nimmt teil, wenn deine Anwendung die Variante zeigt und das meldet:",
  sendClient: "Im Browser meldet der Flag-Client von selbst, sobald die Variante gezeigt wird:",
  sendServer: "Oder dein Dienst meldet es:",
  sendMetric: "Und was dabei herauskam, sobald es geschieht:",
  warnings: {
    weights_changed: "Gewichte geändert",
    sample_ratio_mismatch: "Verhältnis stimmt nicht",
    multiple_exposures: "In zwei gesehen",
  },
};
