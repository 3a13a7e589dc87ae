import type { MetricsTexts } from "./texts";

export const fr: MetricsTexts = {
  title: "Métriques",
  intro: "Ce qui est mesuré chez les personnes, quel sens est le meilleur, et où cela décide.",
  metric: "Métrique",
  measured: "Mesurée comme",
  usedBy: "Utilisée par",
  change: "Modification",
  unused: "rien pour l’instant",
  declare: "Déclarer une métrique",
  empty: "Aucune métrique n’est encore déclarée.",
  emptyHint:
    "Une métrique déclarée dit quel sens est le meilleur et comment les valeurs deviennent un seul chiffre. Dès la première, les valeurs sous d’autres noms sont rejetées.",
  editShort: "Modifier",
  undeclared: "Transmises mais non déclarées",
  undeclaredHint:
    "Des valeurs sont arrivées sous ces noms. Tant que personne ne les déclare, rien ne dit quel sens est le meilleur.",
  declareShort: "Déclarer",
  review: "Relire la modification",
  edit: (metric) => `Modifier ${metric}`,
  remove: (metric) => `Retirer ${metric}`,
  declareThis: (metric) => `Déclarer ${metric}`,
  divides: (metric) => `divise ${metric}`,
  saved: (version) => `Enregistré comme version ${version}.`,
  roles: { goal: "objectif", guardrail: "garde-fou", secondary: "secondaire" },
};
