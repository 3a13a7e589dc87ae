import type { SettingsTexts } from "./texts";

export const de: SettingsTexts = {
  title: "Einstellungen",
  tabs: {
    label: "Zu Einstellungen",
    keys: "Schlüssel",
    users: "Benutzer und Rollen",
    environments: "Umgebungen",
    signIn: "Anmeldung und Codes",
    about: "Über",
  },
  shown: (rows) => `${rows} angezeigt`,
  environment: "Umgebung",

  keysIntro: "Mit einem Schlüssel fragt eine Anwendung nach den Flags einer Umgebung.",
  noEnvironment: "Es gibt noch keine Umgebung, und ein Schlüssel gehört zu einer.",
  showRevoked: "Widerrufene zeigen",
  createKey: "Schlüssel erstellen",
  createKeyIn: (environment) => `Schlüssel für ${environment} erstellen`,
  keyName: "Name",
  keyNameHint: "Wo er benutzt wird, etwa „Fahrer-App, iOS“.",
  key: "Schlüssel",
  unnamed: "Ohne Namen",
  kind: "Art",
  kinds: { client: "Client", server: "Server" },
  kindHints: {
    client:
      "Für Apps und Browser. Jeder darf ihn sehen, und er sieht nur Flags, die für sie bestimmt sind.",
    server: "Für Ihre eigenen Server. Halten Sie ihn geheim: Er sieht jedes Flag.",
  },
  traces: "Beim Entwickeln",
  seesTraces: "Sieht Begründungen",
  tracesHint:
    "Antworten sagen, warum, und zeigen damit die Regeln. Nicht für das, was andere in der Hand haben.",
  lastUsed: "Zuletzt benutzt",
  never: "Nie",
  created: "Erstellt",
  state: "Stand",
  inUse: "Gültig",
  revoked: "Widerrufen",
  revoke: "Widerrufen",
  revokeThis: (name) => `${name} widerrufen`,
  noKeys: "Kein Schlüssel öffnet diese Umgebung.",
  noKeysHint: "Erstellen Sie einen je Anwendung, damit jeder für sich widerrufen werden kann.",
  keyCreated: "Der Schlüssel ist erstellt",
  keyOnce:
    "Kopieren Sie ihn jetzt dorthin, wo die Anwendung ihn liest. Er wird nur jetzt gezeigt: Aufbewahrt wird nur sein Fingerabdruck.",
  copyKey: "Schlüssel kopieren",
  keyKept: "Ich habe ihn",
  revokeAsk: (name) => `„${name}“ widerrufen?`,
  revokeHint:
    "Was diesen Schlüssel benutzt, bekommt von da an keine Flags und nimmt, was es gespeichert hat, oder seine Vorgaben. Das lässt sich nicht zurücknehmen; ein neuer Schlüssel lässt sich erstellen.",
  usedLast: (instant) => `Er wurde zuletzt am ${instant} benutzt.`,
  neverUsed: "Er wurde nie benutzt.",
  revokedNow: (name) => `„${name}“ ist widerrufen.`,

  usersIntro:
    "Öffnen Sie jemanden, um Rollen zu ändern, einen neuen Anmeldelink zu erstellen oder Sitzungen zu beenden.",
  addUser: "Benutzer hinzufügen",
  roleCan: {
    admin: "Alles, auch Schlüssel, Rollen und Löschung.",
    operator: "Bedingungen, Flags, Personen und Zustimmungen; keine Schlüssel, Rollen, Löschung.",
  },
  noUsers: "Niemand hat diese Rolle.",

  environmentsIntro:
    "Jede Umgebung hat eigene Flags und eigene Schlüssel, etwa Produktion und Test.",
  noVersion: "Noch nichts gespeichert",
  versionOf: (version, instant) => `Version ${version}, gespeichert ${instant}`,
  archived: "Archiviert",
  archive: "Archivieren",
  archiveThis: (name) => `${name} archivieren`,
  archiveAsk: (name) => `${name} archivieren?`,
  archiveHint:
    "Ihre Schlüssel öffnen nichts mehr: Anwendungen nehmen, was sie gespeichert haben, oder ihre Vorgaben. Die Versionen bleiben, und sie lässt sich zurückholen.",
  typeName: (name) => `Zur Bestätigung ${name} eingeben`,
  archivedNow: (name) => `${name} ist archiviert.`,
  restore: "Zurückholen",
  restoreThis: (name) => `${name} zurückholen`,
  restored: (name) => `${name} wird wieder ausgeliefert.`,
  addEnvironment: "Umgebung hinzufügen",
  environmentName: "Name",
  environmentNameHint:
    "Buchstaben, Ziffern, Punkte und Striche, etwa staging. Er bleibt für immer.",
  taken: "Es gibt schon eine mit diesem Namen.",
  noName: "Er beginnt mit Buchstabe oder Ziffer und hat nur Buchstaben, Ziffern, Punkte, Striche.",
  add: "Hinzufügen",
  environmentAdded: (name) => `${name} ist hinzugefügt.`,

  consoleSignIn: "In diese Konsole",
  byPassword: "Mit Passwort",
  byCompany: "Mit dem Konto Ihrer Firma",
  allowed: "Erlaubt",
  notAllowed: "Nicht erlaubt",
  notSetUp: "Nicht eingerichtet",
  signInHow: "Festgelegt, wo der Server gestartet wird; das Betriebshandbuch sagt, wie.",
  delivery: "Einmalcodes",
  deliveryHow:
    "Mit einem solchen Code melden sich Fahrer an. Ob Codes per E-Mail oder über einen eigenen Dienst gehen, wird beim Start des Servers festgelegt.",

  engine: "Datenbank",
};
