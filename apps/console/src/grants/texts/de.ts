import type { GrantsTexts } from "./texts";

export const de: GrantsTexts = {
  roles: "Rollen",
  hints: {
    viewer: "Liest alles außer personenbezogenen Daten",
    representative: "Liest Texte und Zahlen, keine Personen",
    dispatcher: "Erfasst, wie Arbeit verlief",
    reviewer: "Beantwortet Einwände, entscheidet über Einschränkungen",
    support: "Schlägt Personen nach, beendet Sitzungen, setzt ihren Markt",
    legal: "Bedingungen, Zustimmungsstand, Entscheidungen, Exporte und Belege",
    product: "Flags, Experimente und Flag-Schlüssel",
    operator: "Support, Recht und Produkt zusammen",
    admin: "Alles; allein: Rollen, Dienstschlüssel, Webhooks, Freigaberegeln, Löschung",
  },
  onlyIn: (role) => `${role} nur in`,
  marketHint: "Ein Markt wie DE; mehrere mit Komma. Leer: überall.",
  environmentHint: "Eine Umgebung wie staging; mehrere mit Komma. Leer: alle.",
  noMarket: "Das ist kein Code eines Marktes.",
};
