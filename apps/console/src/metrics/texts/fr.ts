import type { MetricsTexts } from "./texts";

export const fr: MetricsTexts = {
  title: "Métriques",
  intro: "Métriques pour les expériences et les groupes exclus",
  metric: "Métrique",
  measured: "Mesurée comme",
  usedBy: "Utilisée par",
  change: "Modification",
  unused: "Non utilisée",
  declare: "Créer une métrique",
  empty: "Aucune métrique pour l’instant",
  emptyHint:
    "Une métrique déclarée dit quel sens est le meilleur et comment les valeurs deviennent un seul chiffre. Dès la première, les valeurs sous d’autres noms sont rejetées.",
  editShort: "Modifier",
  undeclared: "Reçues mais non définies",
  undeclaredHint:
    "Des valeurs avec ces noms ont été reçues. Définissez chaque métrique pour l’utiliser dans les résultats.",
  declareShort: "Définir la métrique",
  review: "Relire les modifications",
  edit: (metric) => `Modifier ${metric}`,
  remove: (metric) => `Retirer ${metric}`,
  declareThis: (metric) => `Déclarer ${metric}`,
  divides: (metric) => `dénominateur de ${metric}`,
  saved: (version) => `Enregistré comme version ${version}.`,
  roles: { goal: "objectif", guardrail: "garde-fou", secondary: "secondaire" },
};
