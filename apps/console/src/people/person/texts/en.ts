import { plural } from "../../../language/plural";
import type { Condition, Draw, Test } from "../trace";

const flagsOf = plural("en", { one: "# flag", other: "# flags" });

const tests: Readonly<Record<Test, string>> = {
  exists: "is given",
  eq: "is",
  ne: "is not",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  not_contains: "does not contain",
  starts: "begins with",
  ends: "ends with",
  matches: "matches",
  lt: "is less than",
  lte: "is at most",
  gt: "is more than",
  gte: "is at least",
  between: "is between",
  semver_eq: "is version",
  semver_lt: "is before version",
  semver_lte: "is at most version",
  semver_gt: "is after version",
  semver_gte: "is at least version",
  before: "is before",
  after: "is after",
  cidr: "is in a network of",
  has_any: "has any of",
  has_all: "has all of",
};

const draws: Readonly<Record<Draw, string>> = {
  named: "is named one by one",
  heldOut: "was drawn to be held out",
  covered: "was drawn to take part",
  inSlot: "is in this experiment’s part of the layer",
  assigned: "keeps the variation assigned before",
  notTooOld: "was assigned in the current phase",
};

function condition(it: Condition): string {
  switch (it.kind) {
    case "test":
      return `${it.attribute} ${tests[it.test]} ${it.than}`.trim();
    case "draw":
      return `${it.attribute} ${draws[it.draw]}`;
    case "share": {
      const percent = it.percent.toLocaleString("en", {
        style: "percent",
        maximumFractionDigits: 3,
      });
      return `${it.attribute} is among the ${percent} that this reaches`;
    }
    case "serves":
      return "The other flag gives what is asked of it";
    default:
      return it.text;
  }
}

export const en = {
  notHere: "No person has this ID",
  notHereHint: (userId: string) =>
    `Check the ID “${userId}”, or the person was erased. The log keeps the decisions of erased people without their names.`,
  tabs: {
    label: "Person pages",
    terms: "Terms",
    consents: "Consents",
    sessions: "Sessions",
    flags: "Flags",
    audit: "Audit",
    account: "Account",
  },
  zone: (zone: string) => `Times in ${zone}`,

  mayWork: "Allowed to work",
  mayNotWork: "Blocked: required documents are not accepted",
  market: "Market",
  noMarket: "No market (documents for all markets only)",
  newMarket: "Market",
  marketHint:
    "Leave empty for no market. Earlier decisions are kept. The person is asked only for documents that are new to them.",
  saveMarket: "Save market",
  marketSaved: "Market saved",
  asOf: "As of",
  asOfHint: "Shows the end of this day in your time zone. Leave empty for the current state.",
  now: "Now",
  mightWork: "Allowed to work on this date",
  mightNotWork: "Blocked on this date: required documents were not accepted",
  notAddedThen: "Not added yet on this date",
  noTermsThen: "No term was in effect then.",
  noRider: "Not a rider. No documents are required.",
  noTerms: "No term is in effect.",
  noTermsHint: "Publish one under Terms, and riders are asked to agree.",
  term: "Term",
  mandatory: "Mandatory",
  optional: "Optional",
  version: (version: string) => `Version ${version}`,
  state: "Status",
  states: {
    accepted: "Accepted",
    declined: "Declined",
    withdrawn: "Withdrawn",
    outstanding: "Outstanding",
    undecided: "No decision",
  },
  inherited: (from: string, to: string) =>
    `Accepted version ${from}. Version ${to} is a minor change, so this acceptance is valid.`,
  grace: (until: string) => `Grace period until ${until}`,
  when: "Decided",
  receipt: "Receipt",
  openReceipt: "Open receipt",

  consentsIntro: (zone: string) => `All decisions, newest first. Times are in ${zone}.`,
  noConsents: "No decision yet.",
  noConsentsHint: "Decisions of this person appear here with their receipts.",

  noSessions: "No active sessions",
  noSessionsHint: "Devices on which this person is signed in appear here.",
  adminSessions: "This person is an admin. Only admins can see and end these sessions.",
  unknownDevice: "Unknown device",
  lastUsed: "Last used",
  signedIn: "Signed in",
  methods: {
    code: "by code",
    password: "by password",
    password_otp: "by password and authenticator",
    oidc: "with the company’s sign-in",
    link: "by sign-in link",
    command: "from the command line",
    demo: "in a demo",
  },
  unknownMethod: "method unknown",
  end: "End session",
  endTitle: (device: string) => `End the session on ${device}?`,
  endHint: "The person must sign in again on this device.",
  ended: "The session is ended.",
  endAll: "End all sessions",
  endAllTitle: (userId: string) => `Sign ${userId} out on all devices?`,
  endAllHint: "On every device the next request is refused, and asks for a new sign-in.",
  endedAll: "All sessions are ended.",

  flagsIntro:
    "Variations that this person is served now, and the reason. This preview is not counted in experiments.",
  noEnvironment: "There is no environment yet.",
  noEnvironmentHint: "Flags are served by environment, such as production or staging.",
  toEnvironments: "To the environments",
  noFlags: "This environment has no flags.",
  environment: "Environment",
  findFlag: "Find a flag",
  flagsShown: (shown: number, all: number) =>
    shown === all ? flagsOf(all) : `${shown} of ${flagsOf(all)}`,
  attributes: "Attributes",
  attributesHint:
    "Apps send attributes with each evaluation. Musette does not store them. Enter the attributes that your rules use, such as city or app version.",
  attribute: "Attribute",
  attributeValue: "Value",
  addAttribute: "Add",
  removeAttribute: (name: string) => `Remove ${name}`,
  on: "On",
  off: "Off",
  nothing: "none",
  variation: "Variation",
  noConditions: "No conditions: applies to all people",
  therefore: "Result:",
  /** By the kind of an explanation, with the name of what decided. */
  reasons: {
    OFF: () => "Flag is off",
    OVERRIDE: () => "Individual targeting",
    PREREQUISITE_FAILED: (name: string) => `Prerequisite ${name} not met`,
    HOLDOUT: (name: string) => `Holdout ${name}`,
    TARGET: (name: string) => `By the target ${name}`,
    RULE: (name: string) => `Rule ${name} matched`,
    ROLLOUT: (name: string) => `By the rollout ${name}`,
    AB_TEST: (name: string) => `Experiment ${name}`,
    DEFAULT: () => "No rule matched: default variation",
    ERROR: () => "This flag cannot be evaluated",
  } as Readonly<Record<string, (name: string) => string>>,
  /** By the kind of a step, with its name. */
  steps: {
    off: () => "Switch",
    override: () => "Named persons",
    prerequisite: (name: string) => `Needs the flag ${name}`,
    holdout: (name: string) => `Holdout ${name}`,
    target: (name: string) => `Target ${name}`,
    rule: (name: string) => `Rule ${name}`,
    rollout: (name: string) => `Rollout ${name}`,
    experiment: (name: string) => `Experiment ${name}`,
    default: () => "Default",
  } as Readonly<Record<string, (name: string) => string>>,
  condition,
  met: "Matches",
  notMet: "Does not match",
  notGiven: "Not set",
  got: (value: string) => `is ${value}`,

  inAudit: "Open in the audit log",
  noAudit: "Nothing has happened to this account.",

  account: "Account",
  since: "Added",
  password: "Password for the console",
  hasPassword: "Set",
  noPassword: "None",
  adminsOnly: "Only admins can change roles and erase people.",
  adminAccount: "This person is an admin. Only admins can manage this account.",
  data: "Personal data export",
  dataHint:
    "All that is kept of this person, as a file for them: account, sessions, every decision with its receipt, audit entries, participation in experiments. The audit log notes that it was read.",
  downloadData: "Download data",
  downloading: (size: string) => `${size} so far…`,
  downloaded: (size: string) => `Downloaded, ${size}`,
  showData: "Show data",
  keptParts: {
    person: "Account",
    sessions: "Sessions that have not ended",
    terms_shown: "Terms shown",
    decisions: "Decisions",
    receipts: "Receipts",
    claims: "Decisions joined from before the account",
    audit: "Audit entries",
    records: "Experiment data",
  } as Readonly<Record<string, string>>,
  caseFile: "Case file",
  caseFileHint:
    "A ZIP file for a lawyer or a court: every decision with its receipt, certificate and proof, and the exact documents. Its page opens offline and checks all of it. The audit log notes that it was made.",
  caseFileAsOf: "As of (optional)",
  caseFileAsOfHint: (zone: string) =>
    `Leaves out what was recorded later. Empty: everything until now. Times in ${zone}.`,
  downloadCaseFile: "Download case file",
  rolesTitle: "Roles",
  saveRoles: "Save roles",
  discard: "Discard",
  rolesAsk: (userId: string) => `Change the roles of ${userId}?`,
  rolesEnd: "All sessions of this user will end.",
  ownAdmin:
    "This is your account. You will lose the admin role and be signed out. Only another admin can restore it.",
  ownRoles: "This is you: you are signed out and sign in again.",
  lastAdmin: "This is the only admin. Add another admin first.",
  rolesSaved: (userId: string) => `The roles of ${userId} are changed.`,
  erase: "Erase person",
  goes: "Data that is deleted",
  goesHint:
    "Name, e-mail address, phone number, roles, sessions, and the key that links log entries to this person.",
  stays: "Data that is kept",
  staysHint:
    "Decisions in the log, without a link to the person. Audit entries, with an anonymous reference. Backups, until they expire.",
  notYourself: "You cannot erase your own account. Ask another admin.",
  eraseAsk: (userId: string) => `Erase ${userId}?`,
  eraseDo: "Erase person",
  eraseHint:
    "This cannot be undone. Receipts can no longer be downloaded. Copies that the person has stay valid.",
  typeId: (userId: string) => `Type ${userId} to confirm`,
  erased: (userId: string) => `${userId} is erased.`,
};
