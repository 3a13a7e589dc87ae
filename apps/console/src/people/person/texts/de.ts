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
  covered: "wurde zur Teilnahme gelost",
  inSlot: "fällt auf dieses von mehreren Experimenten",
  assigned: "nahm schon teil und behält die Variante",
  notTooOld: "stammt nicht aus einer Auslosung, die nicht mehr zählt",
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
  back: "Alle Personen",
  notHere: "Niemand hat diese ID",
  notHereHint: (userId) =>
    `„${userId}“ ist vertippt oder wurde gelöscht. Wozu eine gelöschte Person zugestimmt hat, bleibt im Log, ohne zu sagen, wer es war.`,
  tabs: {
    label: "Zu dieser Person",
    terms: "Bedingungen",
    consents: "Zustimmungen",
    sessions: "Sitzungen",
    flags: "Flags",
    audit: "Protokoll",
    account: "Konto",
  },
  zone: (zone) => `Zeiten in ${zone}`,

  mayWork: "Darf arbeiten: nichts ist über die Frist hinaus offen",
  mayNotWork: "Darf vor der Zustimmung nicht arbeiten",
  market: "Markt",
  noMarket: "Kein Markt: nur die Bedingungen, die überall gelten.",
  newMarket: "Neuer Markt",
  marketHint:
    "Leer: keiner. Entscheidungen überdauern einen Umzug; gefragt wird nur nach neuen Texten.",
  saveMarket: "Markt speichern",
  marketSaved: "Der Markt ist gespeichert.",
  asOf: "Stand vom",
  asOfHint: "Das Ende dieses Tages, in Ihrer Zeitzone. Leer: jetzt.",
  now: "Jetzt",
  mightWork: "Durfte damals arbeiten: nichts war über die Frist hinaus offen",
  mightNotWork: "Durfte damals vor der Zustimmung nicht arbeiten",
  notAddedThen: "War damals noch nicht angelegt",
  noTermsThen: "Damals war keine Bedingung in Kraft.",
  noRider: "Fährt nicht: wird um nichts gebeten",
  noTerms: "Keine Bedingung ist in Kraft.",
  noTermsHint:
    "Veröffentlichen Sie eine unter Bedingungen, dann werden Fahrer um Zustimmung gebeten.",
  term: "Bedingung",
  mandatory: "Pflicht",
  optional: "Freiwillig",
  version: (version) => `Version ${version}`,
  state: "Stand",
  states: {
    accepted: "Zugestimmt",
    declined: "Abgelehnt",
    withdrawn: "Widerrufen",
    outstanding: "Offen",
    undecided: "Nicht entschieden",
  },
  inherited: (from, to) =>
    `Fassung ${from} zugestimmt. Fassung ${to} ist eine kleine Änderung, deshalb gilt diese Zustimmung.`,
  grace: (until) => `Hält bis ${until} niemanden auf`,
  when: "Entschieden",
  receipt: "Beleg",
  openReceipt: "Öffnen",

  consentsIntro: (zone) => `Jede Entscheidung, die neueste zuerst. Zeiten in ${zone}.`,
  noConsents: "Noch keine Entscheidung.",
  noConsentsHint:
    "Sobald diese Person einer Bedingung zustimmt oder sie ablehnt, steht es hier mit Beleg.",

  noSessions: "Nirgends angemeldet.",
  noSessionsHint: "Jede Anmeldung erscheint hier mit ihrem Gerät.",
  adminSessions:
    "Diese Person gehört zur Administration. Nur diese sieht und beendet ihre Sitzungen.",
  unknownDevice: "Unbekanntes Gerät",
  lastUsed: "Zuletzt benutzt",
  signedIn: "Angemeldet",
  methods: {
    code: "mit Code",
    password: "mit Passwort",
    password_otp: "mit Passwort und Authenticator",
    oidc: "über die Anmeldung der Firma",
    link: "mit Anmeldelink",
    command: "über die Kommandozeile",
    demo: "in einer Demo",
  },
  unknownMethod: "Weg unbekannt",
  end: "Beenden",
  endTitle: (device) => `Sitzung auf ${device} beenden?`,
  endHint: "Die nächste Anfrage von dort wird abgewiesen und verlangt eine neue Anmeldung.",
  ended: "Die Sitzung ist beendet.",
  endAll: "Alle beenden",
  endAllTitle: (userId) => `${userId} überall abmelden?`,
  endAllHint:
    "Auf jedem Gerät wird die nächste Anfrage abgewiesen und verlangt eine neue Anmeldung.",
  endedAll: "Alle Sitzungen sind beendet.",

  flagsIntro:
    "Was eine Anwendung für diese Person gerade bekommt, und warum. Das Nachsehen zählt nirgends mit.",
  noEnvironment: "Es gibt noch keine Umgebung.",
  noEnvironmentHint: "Flags werden nach Umgebung ausgeliefert, etwa Produktion oder Test.",
  toEnvironments: "Zu den Umgebungen",
  noFlags: "Diese Umgebung hat keine Flags.",
  environment: "Umgebung",
  findFlag: "Flag suchen",
  flagsShown: (shown, all) => (shown === all ? flagsOf(all) : `${shown} von ${flagsOf(all)}`),
  attributes: "Was die Anwendung über sie sagen würde",
  attributesHint:
    "Anwendungen senden Merkmale mit jeder Frage; sie werden nicht aufbewahrt. Geben Sie die an, auf die es ankommt, etwa Stadt oder App-Version.",
  attribute: "Merkmal",
  attributeValue: "Wert",
  addAttribute: "Hinzufügen",
  removeAttribute: (name) => `${name} entfernen`,
  on: "An",
  off: "Aus",
  nothing: "nichts",
  variation: "Variante",
  noConditions: "Es gibt keine Bedingung: Alle bekommen das.",
  therefore: "Also:",
  reasons: {
    OFF: () => "Das Flag ist ausgeschaltet",
    OVERRIDE: () => "Diese Person ist einzeln genannt",
    PREREQUISITE_FAILED: (name) => `Das vorausgesetzte Flag ${name} ergibt nicht, was es soll`,
    HOLDOUT: (name) => `Zurückgehalten durch ${name}`,
    TARGET: (name) => `Durch das Ziel ${name}`,
    RULE: (name) => `Durch die Regel ${name}`,
    ROLLOUT: (name) => `Durch den Rollout ${name}`,
    AB_TEST: (name) => `Nimmt am Experiment ${name} teil`,
    DEFAULT: () => "Keine Regel passt: der Standard",
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
  met: "trifft zu",
  notMet: "trifft nicht zu",
  notGiven: "nicht angegeben",
  got: (value) => `ist ${value}`,

  inAudit: "Im Protokoll öffnen",
  noAudit: "Mit diesem Konto ist nichts geschehen.",

  account: "Konto",
  since: "Hinzugefügt",
  password: "Passwort für die Konsole",
  hasPassword: "Gesetzt",
  noPassword: "Keines",
  adminsOnly: "Rollen und Löschung sind Sache der Administration.",
  adminAccount:
    "Diese Person gehört zur Administration. Ihre Rollen, ihre Daten und ihre Löschung sind deren Sache.",
  data: "Eine Kopie der Daten",
  dataHint:
    "Alles, was über diese Person aufbewahrt wird, als Datei für sie: Konto, Sitzungen, jede Entscheidung mit Beleg. Das Protokoll vermerkt, dass es gelesen wurde.",
  downloadData: "Herunterladen",
  downloading: (size) => `Bisher ${size} …`,
  downloaded: (size) => `Heruntergeladen, ${size}`,
  showData: "Hier anzeigen",
  keptParts: {
    person: "Konto",
    sessions: "Nicht beendete Sitzungen",
    terms_shown: "Gezeigte Bedingungen",
    decisions: "Entscheidungen",
    receipts: "Belege",
    claims: "Übernommene Bewerbungen",
    audit: "Einträge im Protokoll der Verwaltung",
    records: "Datensatz",
  },
  caseFile: "Beweisakte",
  caseFileHint:
    "Eine ZIP-Datei für einen Anwalt oder ein Gericht: jede Entscheidung mit Beleg, Bescheinigung und Nachweis, und die genauen Dokumente. Ihre Seite öffnet sich ohne Netz und prüft alles selbst. Das Protokoll der Verwaltung vermerkt, dass sie erstellt wurde.",
  caseFileAsOf: "Stand (freiwillig)",
  caseFileAsOfHint: (zone) =>
    `Lässt aus, was später aufgezeichnet wurde. Leer: alles bis jetzt. Zeiten in ${zone}.`,
  downloadCaseFile: "Beweisakte herunterladen",
  rolesTitle: "Rollen",
  saveRoles: "Rollen ändern",
  discard: "Verwerfen",
  rolesAsk: (userId) => `Rollen von ${userId} ändern?`,
  rolesEnd:
    "Alle Sitzungen der Person enden, denn eine Sitzung trägt die Rollen, mit denen sie begann.",
  ownAdmin:
    "Das sind Sie. Sie verlieren die Administration sofort und werden abgemeldet; nur jemand anderes aus der Administration kann es zurücknehmen.",
  ownRoles: "Das sind Sie: Sie werden abgemeldet und melden sich neu an.",
  lastAdmin: "Die einzige Person in der Administration. Ernennen Sie zuerst jemand anderen.",
  rolesSaved: (userId) => `Die Rollen von ${userId} sind geändert.`,
  erase: "Diese Person löschen",
  goes: "Was verschwindet",
  goesHint:
    "Name, E-Mail, Telefon, Rollen, Sitzungen und der Schlüssel, mit dem sich Einträge des Logs zuordnen ließen. Sofort und endgültig.",
  stays: "Was bleibt",
  staysHint:
    "Jede Entscheidung im Log, als Beweis, dass sie getroffen wurde, aber nicht von wem. Protokolleinträge, die nur einen Verweis nennen. Sicherungen, bis sie ablaufen.",
  notYourself: "Niemand kann sich selbst löschen; jemand anderes aus der Administration kann es.",
  eraseAsk: (userId) => `${userId} endgültig löschen?`,
  eraseDo: "Endgültig löschen",
  eraseHint:
    "Das lässt sich nicht zurücknehmen. Belege der Person sind nicht mehr abrufbar; die, die sie besitzt, bleiben gültig.",
  typeId: (userId) => `Zur Bestätigung ${userId} eingeben`,
  erased: (userId) => `${userId} ist gelöscht.`,
};
