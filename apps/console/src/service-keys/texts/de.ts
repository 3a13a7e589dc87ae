import type { ServiceKeysTexts } from "./texts";

export const de: ServiceKeysTexts = {
  title: "Dienstschlüssel",
  intro:
    "Andere Programme rufen mit einem Dienstschlüssel die API auf, mit den Rollen des Schlüssels.",
  create: "Dienstschlüssel erstellen",
  name: "Name",
  nameHint: "Das Programm, das ihn benutzt, etwa „Schichtplan“.",
  roles: "Rollen",
  expires: "Läuft ab",
  expiresHint: "Am Ende dieses Tages, in Ihrer Zeitzone. Leer: nie.",
  noExpiry: "Nie",
  lastUsed: "Zuletzt benutzt",
  never: "Nie",
  state: "Stand",
  expired: "Abgelaufen",
  revoked: "Widerrufen",
  revoke: "Widerrufen",
  revokeThis: (name) => `${name} widerrufen`,
  revokeAsk: (name) => `„${name}“ widerrufen?`,
  revokeHint:
    "Anfragen mit diesem Schlüssel werden innerhalb einer Sekunde abgelehnt. Das kann nicht rückgängig gemacht werden.",
  usedLast: (instant) => `Zuletzt benutzt am ${instant}.`,
  neverUsed: "Er wurde nie benutzt.",
  revokedNow: (name) => `„${name}“ ist widerrufen.`,
  none: "Keine Dienstschlüssel",
  noneHint: "Legen Sie für jedes Programm einen an, damit sich jeder einzeln widerrufen lässt.",
  created: "Der Dienstschlüssel ist angelegt",
  once: "Kopieren Sie ihn jetzt dorthin, wo das Programm ihn liest. Er wird nur dieses eine Mal gezeigt: Aufbewahrt wird nur eine Prüfsumme.",
  copy: "Schlüssel kopieren",
  kept: "Fertig",
};
