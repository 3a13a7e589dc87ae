import type { ServiceKeysTexts } from "./texts";

export const fr: ServiceKeysTexts = {
  title: "Clés de service",
  intro:
    "D’autres programmes utilisent une clé de service pour appeler l’API avec les rôles de la clé.",
  create: "Créer une clé de service",
  name: "Nom",
  nameHint: "Le programme qui l’utilisera, par exemple «\u202fPlanification des créneaux\u202f».",
  roles: "Rôles",
  expires: "Expiration",
  expiresHint: "À la fin de ce jour, dans votre fuseau horaire. Vide\u202f: jamais.",
  noExpiry: "Jamais",
  lastUsed: "Dernière utilisation",
  never: "Jamais",
  state: "État",
  expired: "Expirée",
  revoked: "Révoquée",
  revoke: "Révoquer",
  revokeThis: (name) => `Révoquer ${name}`,
  revokeAsk: (name) => `Révoquer «\u202f${name}\u202f»\u202f?`,
  revokeHint:
    "Les requêtes avec cette clé sont rejetées en moins d’une seconde. Cette action est irréversible.",
  usedLast: (instant) => `Dernière utilisation\u202f: ${instant}.`,
  neverUsed: "Elle n’a jamais été utilisée.",
  revokedNow: (name) => `«\u202f${name}\u202f» est révoquée.`,
  none: "Aucune clé de service",
  noneHint: "Créez-en une par programme, pour pouvoir révoquer chacune séparément.",
  created: "La clé de service est créée",
  once: "Copiez-la maintenant là où le programme la lit. Elle n’est affichée que cette fois\u202f: seule son empreinte est conservée.",
  copy: "Copier la clé",
  kept: "Terminé",
};
