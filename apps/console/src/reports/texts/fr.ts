import type { ReportsTexts } from "./texts";

export const fr: ReportsTexts = {
  title: "Rapport sur les décisions",
  intro:
    "Évaluations, contestations et restrictions par mois et par marché. Aucune personne n’y figure.",
  rule: "Un nombre inférieur à 10 est affiché <10. Un total qui révélerait un tel nombre est masqué. Les mois sont en UTC.",
  from: "De",
  to: "À",
  market: "Marché",
  allMarkets: "Tous les marchés",
  everywhere: "Tous les marchés",
  month: "Mois et marché",
  evaluations: "Évaluations",
  contests: "Contestations",
  restrictions: "Restrictions",
  reviews: "Réexamens des restrictions",
  total: "Total",
  contested: "Contestées",
  overturned: "Modifiées en faveur du livreur",
  median: "Délai de réponse médian",
  p90: "90e centile",
  hours: (hours) => `${hours} h`,
  outcomes: {
    open: "En cours",
    upheld: "Maintenues",
    changed: "Raccourcies",
    lifted: "Levées",
  },
  suppressed: "masqué",
  nothing: "Le rapport ne contient pas ce marché.",
  shown: (count) => `${count} lignes`,
  home: {
    title: "Ce que vous pouvez lire",
    terms: "Textes en vigueur et à venir, avec leurs différences",
    systems: "Programmes qui surveillent les livreurs ou décident à leur sujet",
    report: "Nombres par mois et par marché",
  },
};
