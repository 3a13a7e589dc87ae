import type { GrantsTexts } from "./texts";

export const de: GrantsTexts = {
  roles: "Rollen",
  hints: {
    viewer: "Alles außer personenbezogenen Daten ansehen",
    representative: "Liest Texte und Zahlen, keine Personen",
    dispatcher: "Erfasst, wie Arbeit verlief",
    reviewer: "Beantwortet Einwände, entscheidet über Einschränkungen",
    support: "Personen suchen, Sitzungen beenden, Märkte ändern",
    legal: "Bedingungen, Zustimmungsstand, Entscheidungen, Exporte und Belege",
    product: "Flags, Experimente und SDK-Schlüssel verwalten",
    operator: "Alle Berechtigungen von Support, Recht und Produkt",
    admin: "Alles; allein: Rollen, Dienstschlüssel, Webhooks, Freigaberegeln, Löschung",
  },
  onlyIn: (role) => `${role} beschränken auf`,
  marketHint: "Marktcodes wie DE, getrennt durch Kommas. Leer lassen für alle Märkte.",
  environmentHint: "Eine Umgebung wie staging; mehrere mit Komma. Leer: alle.",
  noMarket: "Geben Sie einen gültigen Marktcode ein, zum Beispiel DE oder DE-BE.",
};
