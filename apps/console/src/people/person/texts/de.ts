import { plural } from "../../../language/plural";
import type { Condition, Draw, Test } from "../trace";
import type { PersonTexts } from "./texts";

const flagsOf = plural("de", { one: "# Flag", other: "# Flags" });

const tests: Readonly<Record<Test, string>> = {
  exists: "ist angegeben",
  eq: "ist",
  ne: "ist nicht",
  in: "ist eines von",
  not_in: "ist keines von",
  contains: "enthält",
  not_contains: "enthält nicht",
  starts: "beginnt mit",
  ends: "endet mit",
  matches: "passt auf",
  lt: "ist kleiner als",
  lte: "ist höchstens",
  gt: "ist größer als",
  gte: "ist mindestens",
  between: "liegt zwischen",
  semver_eq: "ist Version",
  semver_lt: "ist vor Version",
  semver_lte: "ist höchstens Version",
  semver_gt: "ist nach Version",
  semver_gte: "ist mindestens Version",
  before: "liegt vor",
  after: "liegt nach",
  cidr: "liegt in einem Netz von",
  has_any: "hat eines von",
  has_all: "hat alle von",
};

const draws: Readonly<Record<Draw, string>> = {
  named: "ist einzeln genannt",
  heldOut: "wurde in die Vergleichsgruppe ohne Neuerungen gelost",
  covered: "wurde zur Teilnahme zugeteilt",
  inSlot: "liegt im Anteil dieses Experiments an der Ebene",
  assigned: "behält die zuvor zugeteilte Variante",
  notTooOld: "wurde in der aktuellen Phase zugeteilt",
};

function condition(it: Condition): string {
  switch (it.kind) {
    case "test":
      return `${it.attribute} ${tests[it.test]} ${it.than}`.trim();
    case "draw":
      return `${it.attribute} ${draws[it.draw]}`;
    case "share": {
      const percent = it.percent.toLocaleString("de", {
        style: "percent",
        maximumFractionDigits: 3,
      });
      return `${it.attribute} gehört zu den ${percent}, die es erreicht`;
    }
    case "serves":
      return "Das andere Flag ergibt, was verlangt ist";
    default:
      return it.text;
  }
}

export const de: PersonTexts = {
  notHere: "Keine Person hat diese ID",
  notHereHint: (userId) =>
    `Prüfen Sie die ID „${userId}“, oder die Person wurde gelöscht. Das Log bewahrt die Entscheidungen gelöschter Personen ohne deren Namen auf.`,
  tabs: {
    label: "Seiten der Person",
    terms: "Bedingungen",
    consents: "Zustimmungen",
    sessions: "Sitzungen",
    flags: "Flags",
    audit: "Audit",
    account: "Konto",
  },
  zone: (zone) => `Zeiten in ${zone}`,

  mayWork: "Darf arbeiten",
  mayNotWork: "Gesperrt: Verpflichtenden Dokumenten wurde nicht zugestimmt",
  market: "Markt",
  noMarket: "Kein Markt (nur Dokumente für alle Märkte)",
  newMarket: "Markt",
  marketHint:
    "Leer lassen für keinen Markt. Frühere Entscheidungen bleiben erhalten. Die Person wird nur nach Dokumenten gefragt, die für sie neu sind.",
  saveMarket: "Markt speichern",
  marketSaved: "Markt gespeichert",
  asOf: "Stand vom",
  asOfHint: "Zeigt das Ende dieses Tages in Ihrer Zeitzone. Leer lassen für den aktuellen Stand.",
  now: "Jetzt",
  mightWork: "Durfte an diesem Datum arbeiten",
  mightNotWork: "An diesem Datum gesperrt: Verpflichtenden Dokumenten war nicht zugestimmt",
  notAddedThen: "An diesem Datum noch nicht hinzugefügt",
  noTermsThen: "Damals war keine Bedingung in Kraft.",
  noRider: "Kein Fahrer. Es sind keine Dokumente erforderlich.",
  noTerms: "Keine Bedingung ist in Kraft.",
  noTermsHint:
    "Veröffentlichen Sie eine unter Bedingungen, dann werden Fahrer um Zustimmung gebeten.",
  term: "Bedingung",
  mandatory: "Pflicht",
  optional: "Freiwillig",
  version: (version) => `Version ${version}`,
  state: "Status",
  states: {
    accepted: "Zugestimmt",
    declined: "Abgelehnt",
    withdrawn: "Widerrufen",
    outstanding: "Offen",
    undecided: "Keine Entscheidung",
  },
  inherited: (from, to) =>
    `Version ${from} zugestimmt. Version ${to} ist eine kleine Änderung, deshalb gilt diese Zustimmung.`,
  grace: (until) => `Übergangsfrist bis ${until}`,
  when: "Entschieden",
  receipt: "Beleg",
  openReceipt: "Beleg öffnen",

  consentsIntro: (zone) => `Alle Entscheidungen, neueste zuerst. Zeiten in ${zone}.`,
  noConsents: "Noch keine Entscheidung.",
  noConsentsHint: "Die Entscheidungen dieser Person erscheinen hier mit ihren Belegen.",

  noSessions: "Keine aktiven Sitzungen",
  noSessionsHint: "Geräte, auf denen diese Person angemeldet ist, erscheinen hier.",
  adminSessions: "Diese Person ist ein Admin. Nur Admins können diese Sitzungen sehen und beenden.",
  unknownDevice: "Unbekanntes Gerät",
  lastUsed: "Zuletzt benutzt",
  signedIn: "Angemeldet",
  methods: {
    code: "mit Code",
    password: "mit Passwort",
    password_otp: "mit Passwort und Authenticator",
    oidc: "über die Anmeldung des Unternehmens",
    link: "mit Anmeldelink",
    command: "über die Kommandozeile",
    demo: "in einer Demo",
  },
  unknownMethod: "Weg unbekannt",
  end: "Sitzung beenden",
  endTitle: (device) => `Sitzung auf ${device} beenden?`,
  endHint: "Die Person muss sich auf diesem Gerät neu anmelden.",
  ended: "Die Sitzung ist beendet.",
  endAll: "Alle Sitzungen beenden",
  endAllTitle: (userId) => `${userId} auf allen Geräten abmelden?`,
  endAllHint:
    "Auf jedem Gerät wird die nächste Anfrage abgewiesen und verlangt eine neue Anmeldung.",
  endedAll: "Alle Sitzungen sind beendet.",

  flagsIntro:
    "Varianten, die diese Person jetzt erhält, und der Grund. Diese Vorschau wird in Experimenten nicht gezählt.",
  noEnvironment: "Es gibt noch keine Umgebung.",
  noEnvironmentHint: "Flags werden nach Umgebung ausgeliefert, etwa Produktion oder Test.",
  toEnvironments: "Zu den Umgebungen",
  noFlags: "Diese Umgebung hat keine Flags.",
  environment: "Umgebung",
  findFlag: "Flag suchen",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} von ${flagsOf(all)}`),
  attributes: "Merkmale",
  attributesHint:
    "Apps senden Merkmale mit jeder Auswertung. Musette speichert sie nicht. Geben Sie die Merkmale ein, die Ihre Regeln verwenden, zum Beispiel Stadt oder App-Version.",
  attribute: "Merkmal",
  attributeValue: "Wert",
  addAttribute: "Hinzufügen",
  removeAttribute: (name) => `${name} entfernen`,
  on: "An",
  off: "Aus",
  nothing: "keine",
  variation: "Variante",
  noConditions: "Keine Bedingungen: gilt für alle Personen",
  therefore: "Ergebnis:",
  reasons: {
    OFF: () => "Flag ist ausgeschaltet",
    OVERRIDE: () => "Individuelles Targeting",
    PREREQUISITE_FAILED: (name) => `Voraussetzung ${name} nicht erfüllt`,
    HOLDOUT: (name) => `Holdout ${name}`,
    TARGET: (name) => `Durch das Ziel ${name}`,
    RULE: (name) => `Regel ${name} trifft zu`,
    ROLLOUT: (name) => `Durch den Rollout ${name}`,
    AB_TEST: (name) => `Experiment ${name}`,
    DEFAULT: () => "Keine Regel trifft zu: Standardvariante",
    ERROR: () => "Dieses Flag lässt sich nicht auswerten",
  },
  steps: {
    off: () => "Schalter",
    override: () => "Einzeln Genannte",
    prerequisite: (name) => `Setzt das Flag ${name} voraus`,
    holdout: (name) => `Holdout ${name}`,
    target: (name) => `Ziel ${name}`,
    rule: (name) => `Regel ${name}`,
    rollout: (name) => `Rollout ${name}`,
    experiment: (name) => `Experiment ${name}`,
    default: () => "Standard",
  },
  condition,
  met: "Trifft zu",
  notMet: "Trifft nicht zu",
  notGiven: "Nicht gesetzt",
  got: (value) => `ist ${value}`,

  inAudit: "Im Audit-Protokoll öffnen",
  noAudit: "Mit diesem Konto ist nichts geschehen.",

  account: "Konto",
  since: "Hinzugefügt",
  password: "Passwort für die Konsole",
  hasPassword: "Gesetzt",
  noPassword: "Keines",
  adminsOnly: "Nur Admins können Rollen ändern und Personen löschen.",
  adminAccount: "Diese Person ist ein Admin. Nur Admins können dieses Konto verwalten.",
  data: "Export personenbezogener Daten",
  dataHint:
    "Alles, was über diese Person aufbewahrt wird, als Datei für sie: Konto, Sitzungen, jede Entscheidung mit Beleg, Audit-Einträge, Teilnahme an Experimenten. Das Audit-Protokoll hält fest, dass die Daten gelesen wurden.",
  downloadData: "Daten herunterladen",
  downloading: (size) => `Bisher ${size} …`,
  downloaded: (size) => `Heruntergeladen, ${size}`,
  showData: "Daten anzeigen",
  keptParts: {
    person: "Konto",
    sessions: "Nicht beendete Sitzungen",
    terms_shown: "Gezeigte Bedingungen",
    decisions: "Entscheidungen",
    receipts: "Belege",
    claims: "Übernommene Entscheidungen aus der Zeit vor dem Konto",
    audit: "Audit-Einträge",
    records: "Experimentdaten",
  },
  caseFile: "Beweisakte",
  caseFileHint:
    "Eine ZIP-Datei für einen Anwalt oder ein Gericht: jede Entscheidung mit Beleg, Bescheinigung und Nachweis, und die genauen Dokumente. Ihre Seite öffnet sich ohne Netz und prüft alles selbst. Das Audit-Protokoll vermerkt, dass sie erstellt wurde.",
  caseFileAsOf: "Stand (freiwillig)",
  caseFileAsOfHint: (zone) =>
    `Lässt aus, was später aufgezeichnet wurde. Leer: alles bis jetzt. Zeiten in ${zone}.`,
  downloadCaseFile: "Beweisakte herunterladen",
  rolesTitle: "Rollen",
  saveRoles: "Rollen speichern",
  discard: "Verwerfen",
  rolesAsk: (userId) => `Rollen von ${userId} ändern?`,
  rolesEnd: "Alle Sitzungen dieses Benutzers werden beendet.",
  ownAdmin:
    "Das ist Ihr Konto. Sie verlieren die Admin-Rolle und werden abgemeldet. Nur ein anderer Admin kann sie Ihnen wieder geben.",
  ownRoles: "Das sind Sie: Sie werden abgemeldet und melden sich neu an.",
  lastAdmin: "Das ist der einzige Admin. Fügen Sie zuerst einen weiteren hinzu.",
  rolesSaved: (userId) => `Die Rollen von ${userId} sind geändert.`,
  erase: "Person löschen",
  goes: "Daten, die gelöscht werden",
  goesHint:
    "Name, E-Mail-Adresse, Telefonnummer, Rollen, Sitzungen und der Schlüssel, der Log-Einträge mit dieser Person verknüpft.",
  stays: "Daten, die erhalten bleiben",
  staysHint:
    "Entscheidungen im Log, ohne Verknüpfung zur Person. Audit-Einträge, mit einem anonymen Verweis. Sicherungen, bis sie ablaufen.",
  notYourself: "Sie können Ihr eigenes Konto nicht löschen. Bitten Sie einen anderen Admin.",
  eraseAsk: (userId) => `${userId} löschen?`,
  eraseDo: "Person löschen",
  eraseHint:
    "Das kann nicht rückgängig gemacht werden. Belege können nicht mehr heruntergeladen werden. Kopien, die die Person besitzt, bleiben gültig.",
  typeId: (userId) => `Zur Bestätigung ${userId} eingeben`,
  erased: (userId) => `${userId} ist gelöscht.`,
};
