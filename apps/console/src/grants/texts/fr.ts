import type { GrantsTexts } from "./texts";

export const fr: GrantsTexts = {
  roles: "Rôles",
  hints: {
    viewer: "Voir tout, sauf les données personnelles",
    representative: "Lit les textes et les chiffres, aucune personne",
    dispatcher: "Enregistre le déroulement du travail",
    reviewer: "Répond aux contestations, décide des restrictions",
    support: "Rechercher des personnes, mettre fin aux sessions, changer de marché",
    legal: "Conditions, acceptation, décisions, exports et reçus",
    product: "Gérer les flags, les expériences et les clés SDK",
    operator: "Toutes les autorisations de Support, Juridique et Produit",
    admin:
      "Tout\u202f; lui seul\u202f: rôles, clés de service, webhooks, règles d’approbation, effacement",
  },
  onlyIn: (role) => `Limiter ${role} à`,
  marketHint:
    "Codes de marché comme FR, séparés par des virgules. Laissez vide pour tous les marchés.",
  environmentHint:
    "Un environnement, par exemple staging\u202f; plusieurs avec des virgules. Vide\u202f: tous.",
  noMarket: "Saisissez un code de marché valide, par exemple FR ou DE-BE.",
};
