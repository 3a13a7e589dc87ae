import type { MetricTexts } from "./texts";

export const fr: MetricTexts = {
  metrics: "Métriques",
  goal: "Métrique d’objectif",
  goalHint:
    "Ce que le changement doit améliorer. Le verdict et la taille d’échantillon en dépendent.",
  guardrails: "Métriques garde-fous",
  guardrailsHint: "Ne doivent pas se dégrader.",
  secondary: "Métriques secondaires",
  secondaryHint: "Affichées avec les résultats\u202f; elles ne décident de rien.",
  choose: "Choisir une métrique",
  add: "Ajouter une métrique…",
  newMetric: "Déclarer une nouvelle métrique…",
  declare: "Nouvelle métrique",
  remove: (metric) => `Retirer ${metric}`,
  firstDeclared:
    "Cet environnement ne déclare encore aucune métrique. Dès la première, les valeurs transmises sous tout autre nom sont rejetées\u202f: déclarez toutes celles que vos services transmettent.",
  key: "Clé",
  keyHint:
    "Vos services transmettent les valeurs sous cette clé, et elle reste. Par exemple late_start.",
  name: "Nom",
  description: "Description",
  direction: "Sens",
  directions: { increase: "Plus haut est meilleur", decrease: "Plus bas est meilleur" },
  kind: "Nature",
  kinds: {
    conversion: "Conversion\u202f: part des personnes",
    sum: "Somme par personne",
    mean: "Moyenne des valeurs",
    ratio: "Rapport de deux métriques",
  },
  kindHints: {
    conversion: "La part des personnes dont la somme des valeurs dépasse 0.",
    sum: "La moyenne, sur les personnes, de la somme de leurs valeurs\u202f; qui n’en a pas compte pour 0.",
    mean: "La moyenne de toutes les valeurs\u202f; les personnes sans valeur ne comptent pas.",
    ratio: "La somme de toutes les valeurs, divisée par celle d’une autre métrique.",
  },
  denominator: "Divisée par",
  bounds: "Unité, bornes et description",
  unit: "Unité",
  unitHint: "Par exemple min ou EUR.",
  min: "Valeur minimale",
  max: "Valeur maximale",
  cap: "Plafond par personne",
  capHint: "Les valeurs d’une personne comptent au plus pour autant (winsorisation).",
  faults: {
    goal: "Choisissez la métrique à améliorer.",
    metricKey: "Donnez une clé à la métrique.",
    metricKeyForm:
      "Clé de la métrique\u202f: lettres, chiffres, points, tirets et tirets bas uniquement.",
    metricKeyTaken: "Une métrique porte déjà cette clé.",
    denominator: "Choisissez la métrique par laquelle diviser.",
    number: "Le minimum, le maximum et le plafond sont des nombres.",
    range: "Le minimum est supérieur au maximum.",
    cap: "Le plafond doit être supérieur à 0.",
  },
};
