import type { ServiceKeysTexts } from "./texts";

export const de: ServiceKeysTexts = {
  title: "Dienstschlüssel",
  intro:
    "Mit einem Dienstschlüssel benutzt ein anderes Programm der Firma die API, soweit seine Rollen es erlauben.",
  create: "Dienstschlüssel anlegen",
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
    "Was diesen Schlüssel benutzt, wird binnen einer Sekunde abgewiesen. Das lässt sich nicht zurücknehmen.",
  usedLast: (instant) => `Zuletzt benutzt am ${instant}.`,
  neverUsed: "Er wurde nie benutzt.",
  revokedNow: (name) => `„${name}“ ist widerrufen.`,
  none: "Es gibt keinen Dienstschlüssel.",
  noneHint: "Legen Sie für jedes Programm einen an, damit sich jeder einzeln widerrufen lässt.",
  created: "Der Dienstschlüssel ist angelegt",
  once: "Kopieren Sie ihn jetzt dorthin, wo das Programm ihn liest. Er wird nur dieses eine Mal gezeigt: Aufbewahrt wird nur eine Prüfsumme.",
  copy: "Schlüssel kopieren",
  kept: "Ich habe ihn aufbewahrt",
};
