import { plural } from "../../language/plural";
import type { ResultsTexts } from "./texts";

export const fr: ResultsTexts = {
  people: "Personnes",
  peopleHint: (unit) =>
    `Comptées une fois chacune, selon ${unit}, lorsqu’elles ont vu leur variation pour la première fois.`,
  arm: "Variation",
  count: "Personnes",
  share: "Part",
  expected: "Attendu",
  all: (count) => `${count} personnes au total`,
  noWeight: "plus de poids",
  ratioGood: (p) => `Elles sont arrivées dans la proportion des poids (${p}).`,
  ratioEarly: "Trop peu pour dire si elles arrivent dans la proportion des poids.",
  weightsOff: "Les poids ont changé pendant la phase\u202f: n’utilisez pas ces résultats",
  weightsOffText:
    "Les poids des variations ont changé pendant cette phase. Les personnes d’avant et d’après le changement sont mélangées\u202f: la répartition ne peut pas être vérifiée et aucune différence ci-dessous n’est crédible. Commencez une nouvelle phase.",
  ratioOff: "Écart de répartition (SRM)\u202f: n’utilisez pas ces résultats",
  ratioOffText: (p) =>
    `Les personnes ne sont pas arrivées dans la proportion des poids. Par hasard, cela n’arriverait presque jamais (${p}). Certaines se sont perdues en chemin dans une seule variation\u202f: aucune différence ci-dessous n’est donc crédible.`,
  ratioCauses: [
    "Une variation signale la participation plus tard, et des personnes partent avant.",
    "Le signalement dépend de quelque chose que seule une variation possède, par exemple un écran ouvert.",
    "Les poids ont été modifiés pendant cette phase\u202f: commencez une nouvelle phase après un tel changement.",
  ],
  twice: (count, share) =>
    `${count} personnes (${share}) ont été vues dans plus d’une variation\u202f; elles ne comptent dans aucune.`,
  twiceOff: "Expositions multiples\u202f: n’utilisez pas ces résultats",
  twiceOffText: (count, share) =>
    `${count} personnes (${share}) ont vu plus d’une variation. Le plus souvent, l’unité n’est pas stable\u202f: un identifiant qui change avec l’appareil, ou des poids modifiés sans nouvelle phase.`,
  asOf: (time) => `État à ${time}. Renouvelé toutes les 30 secondes.`,
  updating: "Mise à jour…",
  since: (from, to) => `Première participation le ${from}, dernière le ${to}.`,
  metric: "Résultats de la métrique",
  metricHint: "Valeurs depuis la première participation de chaque personne.",
  metricField: "Métrique",
  metricNone: "Choisir une métrique",
  metricNoneHint:
    "Aucune métrique d’objectif n’est définie ici. Choisissez-en une que votre service transmet.",
  show: "Afficher",
  goal: "Objectif",
  goals: { higher: "plus haut", lower: "plus bas" },
  measure: "Mesurée comme",
  measures: { mean: "moyenne par personne", proportion: "part des personnes" },
  phase: "Phase",
  phaseName: (phase) => `Phase ${phase}`,
  phaseNow: (phase) => `Phase ${phase} (actuelle)`,
  baseline: "référence",
  roles: {
    goal: "Métrique d’objectif",
    guardrail: "Métrique garde-fou",
    secondary: "Métrique secondaire",
  },
  directions: { increase: "Plus haut est meilleur", decrease: "Plus bas est meilleur" },
  kinds: {
    sum: "Somme par personne",
    conversion: "Part des personnes",
    mean: "Moyenne des valeurs",
    ratio: "Rapport de deux métriques",
  },
  columns: { sum: "Par personne", conversion: "Part", mean: "Moyenne", ratio: "Rapport" },
  overTime: "Dans le temps",
  overTimeHint:
    "La différence à la fin de chaque jour (UTC), avec l’intervalle valable ce jour-là. Qui a vu plusieurs variations ne compte dans aucune.",
  day: "Jour",
  asTable: (arm) => `${arm} sous forme de tableau`,
  daysToGo: plural("fr", { one: "Encore # jour environ.", other: "Encore # jours environ." }),
  enoughPeople: "Assez de personnes ont participé.",
  enoughHint: (effect) =>
    `Un changement de ${effect} aurait déjà été trouvé dans quatre tests sur cinq. S’il y en a un, il est sans doute plus petit.`,
  nobodyComes: "Personne de nouveau n’est venu la semaine passée.",
  neededSoFar: (units, needed) => `${units} personnes sur ${needed} à ce jour`,
  remainingHint: (effect, sizes) =>
    `D’ici là, un changement de ${effect} est trouvé dans quatre tests sur cinq (${sizes}). Peut-être plus tôt.`,
  corrected: (count) =>
    `${count} variations sont comparées à la référence\u202f: les 95\u202f% valent pour toutes à la fois (Bonferroni).`,
  otherMetrics: "Métriques garde-fous et secondaires",
  otherMetricsHint:
    "Non corrigées pour leur nombre\u202f: la métrique d’objectif décide, et une métrique garde-fou qui se dégrade est une raison d’arrêter.",
  notWorse: "Pas de dégradation démontrée",
  undeclared: "Non déclarée dans la configuration\u202f: lue comme choisi ici.",
  inUnit: (written, unit) => `${written} ${unit}`,
  titleInUnit: (title, unit) => `${title} (${unit})`,
  difference: "Différence",
  interval: "Intervalle à 95\u202f%",
  lift: "Gain relatif",
  range: (low, high) => `${low} à ${high}`,
  points: (written) => `${written} points`,
  reported: (count, all) => `${count} personnes sur ${all} ont une valeur`,
  cuped: "Ajusté (CUPED)",
  cupedHint:
    "Ce que les mêmes personnes ont fait dans les 14 jours précédents a été retranché, ce qui resserre les intervalles.",
  always:
    "Les intervalles restent valables aussi souvent que vous les regardez\u202f: lire chaque jour ne fait rien perdre.",
  between: (low, high) => `entre ${low} et ${high}`,
  better: (arm, between) => `${arm} fait mieux\u202f: ${between}.`,
  worse: (arm, between) => `${arm} fait moins bien\u202f: ${between}.`,
  notYet: (arm, range) => `${arm}, non concluant\u202f: l’intervalle, ${range}, contient 0.`,
  noData: (arm) =>
    `On ne peut encore rien dire de ${arm}\u202f: moins de 8 personnes, ou toutes ont la même valeur.`,
  noBaseline: (baseline) =>
    `Rien ne peut être comparé\u202f: personne n’a de valeur dans ${baseline}, qui est la référence.`,
  silent: (metric) =>
    `Personne n’a encore transmis ${metric}. Votre service la transmet ainsi\u202f:`,
  unreadableWeights: "Les poids ont changé pendant la phase\u202f: n’utilisez pas ces résultats.",
  unreadableRatio: "Écart de répartition (SRM)\u202f: n’utilisez pas ces résultats.",
  unreadableTwice: "Expositions multiples\u202f: n’utilisez pas ces résultats.",
  readings: {
    better: "Meilleure",
    worse: "Moins bonne",
    not_yet: "Non concluant",
    no_data: "Aucune donnée",
    unreadable: "Non valable",
  },
  nobody: "Aucune participation pour l’instant",
  nobodyText:
    "Personne n’a encore été compté. Quelqu’un participe quand votre application lui présente sa variation et le signale\u202f:",
  sendClient:
    "Dans le navigateur, le client de flags le signale de lui-même quand la variation est présentée\u202f:",
  sendServer: "Ou signalez-le depuis votre service\u202f:",
  sendMetric: "Et les valeurs des métriques, dès qu’elles surviennent\u202f:",
  warnings: {
    weights_changed: "Poids modifiés",
    sample_ratio_mismatch: "Écart de répartition (SRM)",
    multiple_exposures: "Expositions multiples",
  },
};
