import type { GrantsTexts } from "./texts";

export const fr: GrantsTexts = {
  roles: "Rôles",
  hints: {
    viewer: "Lit tout, sauf les données personnelles",
    representative: "Lit les textes et les chiffres, aucune personne",
    dispatcher: "Enregistre le déroulement du travail",
    reviewer: "Répond aux contestations, décide des restrictions",
    support: "Recherche des personnes, ferme leurs sessions, définit leur marché",
    legal: "Conditions, acceptation, décisions, exports et reçus",
    product: "Flags, expériences et clés d’accès aux flags",
    operator: "Support, juridique et produit réunis",
    admin:
      "Tout\u202f; lui seul\u202f: rôles, clés de service, webhooks, règles d’approbation, effacement",
  },
  onlyIn: (role) => `${role} seulement dans`,
  marketHint: "Un marché, par exemple DE\u202f; plusieurs avec des virgules. Vide\u202f: partout.",
  environmentHint:
    "Un environnement, par exemple staging\u202f; plusieurs avec des virgules. Vide\u202f: tous.",
  noMarket: "Ce n’est pas un code de marché.",
};
