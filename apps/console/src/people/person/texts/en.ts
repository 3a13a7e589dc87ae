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
  inSlot: "falls to this one of several experiments",
  assigned: "took part before and keeps the variation",
  notTooOld: "is not from a draw that does not count any more",
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
  back: "All people",
  notHere: "There is nobody of this id",
  notHereHint: (userId: string) =>
    `“${userId}” is mistyped, or was erased. What an erased person agreed to stays in the log, without saying who it was.`,
  tabs: {
    label: "Of this person",
    terms: "Terms",
    consents: "Consents",
    sessions: "Sessions",
    flags: "Flags",
    audit: "Audit",
    account: "Account",
  },
  zone: (zone: string) => `Times in ${zone}`,

  mayWork: "May work: nothing is outstanding past its grace",
  mayNotWork: "May not work before agreeing",
  market: "Market",
  noMarket: "No market: only the terms that are for everywhere.",
  newMarket: "New market",
  marketHint:
    "Empty: none. Decisions survive a move; only texts that are new to them are asked for.",
  saveMarket: "Save the market",
  marketSaved: "The market is saved.",
  asOf: "As of",
  asOfHint: "The end of that day, in your time zone. Empty: now.",
  now: "Now",
  mightWork: "Was free to work then: nothing was outstanding past its grace",
  mightNotWork: "Was not free to work then before agreeing",
  notAddedThen: "Was not added yet then",
  noTermsThen: "No term was in effect then.",
  noRider: "No rider: is asked for nothing",
  noTerms: "No term is in effect.",
  noTermsHint: "Publish one under Terms, and riders are asked to agree.",
  term: "Term",
  mandatory: "Mandatory",
  optional: "Optional",
  version: (version: string) => `Version ${version}`,
  state: "Standing",
  states: {
    accepted: "Accepted",
    declined: "Declined",
    withdrawn: "Withdrawn",
    outstanding: "Outstanding",
    undecided: "Not decided",
  },
  inherited: (from: string, to: string) =>
    `Accepted version ${from}. Version ${to} is a minor change, so this acceptance is valid.`,
  grace: (until: string) => `Stops nobody until ${until}`,
  when: "Decided",
  receipt: "Receipt",
  openReceipt: "Open",

  consentsIntro: (zone: string) => `Every decision, the newest first. Times in ${zone}.`,
  noConsents: "No decision yet.",
  noConsentsHint:
    "As soon as this person accepts or refuses a term, it stands here with its receipt.",

  noSessions: "Signed in nowhere.",
  noSessionsHint: "Each sign-in shows up here with its device.",
  adminSessions: "This is an admin. Only admins see and end their sessions.",
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
  end: "End",
  endTitle: (device: string) => `End the session on ${device}?`,
  endHint: "The next request from there is refused, and asks for a new sign-in.",
  ended: "The session is ended.",
  endAll: "End all",
  endAllTitle: (userId: string) => `Sign ${userId} out everywhere?`,
  endAllHint: "On every device the next request is refused, and asks for a new sign-in.",
  endedAll: "All sessions are ended.",

  flagsIntro:
    "What an application gets for this person right now, and why. Looking counts nowhere.",
  noEnvironment: "There is no environment yet.",
  noEnvironmentHint: "Flags are served by environment, such as production or staging.",
  toEnvironments: "To the environments",
  noFlags: "This environment has no flags.",
  environment: "Environment",
  findFlag: "Find a flag",
  flagsShown: (shown: number, all: number) =>
    shown === all ? flagsOf(all) : `${shown} of ${flagsOf(all)}`,
  attributes: "What the application would say of them",
  attributesHint:
    "Applications send attributes with each question; they are not kept. Give the ones that matter, such as a town or an app version.",
  attribute: "Attribute",
  attributeValue: "Value",
  addAttribute: "Add",
  removeAttribute: (name: string) => `Remove ${name}`,
  on: "On",
  off: "Off",
  nothing: "nothing",
  variation: "Variation",
  noConditions: "There is no condition: everybody gets this.",
  therefore: "So:",
  /** By the kind of an explanation, with the name of what decided. */
  reasons: {
    OFF: () => "The flag is switched off",
    OVERRIDE: () => "This person is named one by one",
    PREREQUISITE_FAILED: (name: string) =>
      `The flag ${name}, which this one needs, does not give what it should`,
    HOLDOUT: (name: string) => `Held out by ${name}`,
    TARGET: (name: string) => `By the target ${name}`,
    RULE: (name: string) => `By the rule ${name}`,
    ROLLOUT: (name: string) => `By the rollout ${name}`,
    AB_TEST: (name: string) => `Takes part in the experiment ${name}`,
    DEFAULT: () => "No rule fits: the default",
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
  met: "true",
  notMet: "not true",
  notGiven: "not given",
  got: (value: string) => `is ${value}`,

  inAudit: "Open in the audit log",
  noAudit: "Nothing has happened to this account.",

  account: "Account",
  since: "Added",
  password: "Password for the console",
  hasPassword: "Set",
  noPassword: "None",
  adminsOnly: "Roles and erasure are up to admins.",
  adminAccount: "This is an admin. Their roles, their data and their erasure are up to admins.",
  data: "A copy of their data",
  dataHint:
    "All that is kept of this person, as a file for them: account, sessions, every decision with its receipt, audit entries, participation in experiments. The audit log notes that it was read.",
  downloadData: "Download",
  downloading: (size: string) => `${size} so far…`,
  downloaded: (size: string) => `Downloaded, ${size}`,
  showData: "Show it here",
  keptParts: {
    person: "Account",
    sessions: "Sessions that have not ended",
    terms_shown: "Terms shown",
    decisions: "Decisions",
    receipts: "Receipts",
    claims: "Claimed submissions",
    audit: "Audit entries",
    records: "Record",
  } as Readonly<Record<string, string>>,
  caseFile: "Case file",
  caseFileHint:
    "A ZIP file for a lawyer or a court: every decision with its receipt, certificate and proof, and the exact documents. Its page opens offline and checks all of it. The audit log notes that it was made.",
  caseFileAsOf: "As of (optional)",
  caseFileAsOfHint: (zone: string) =>
    `Leaves out what was recorded later. Empty: everything until now. Times in ${zone}.`,
  downloadCaseFile: "Download the case file",
  rolesTitle: "Roles",
  saveRoles: "Change roles",
  discard: "Discard",
  rolesAsk: (userId: string) => `Change the roles of ${userId}?`,
  rolesEnd: "All their sessions end, since a session carries the roles it began with.",
  ownAdmin:
    "This is you. You stop being an admin at once and are signed out; only another admin can take that back.",
  ownRoles: "This is you: you are signed out and sign in again.",
  lastAdmin: "The only admin. Make somebody else one first.",
  rolesSaved: (userId: string) => `The roles of ${userId} are changed.`,
  erase: "Erase this person",
  goes: "What goes",
  goesHint:
    "Name, e-mail, phone, roles, sessions, and the key by which the log’s entries could be traced to them. At once, and for good.",
  stays: "What stays",
  staysHint:
    "Each decision in the log, as proof that it was made, though not by whom. Audit entries, which name only a reference. Backups, until they run out.",
  notYourself: "Nobody can erase themselves; another admin can.",
  eraseAsk: (userId: string) => `Erase ${userId} for good?`,
  eraseDo: "Erase for good",
  eraseHint:
    "It cannot be undone. Their receipts can no longer be fetched; those they hold stay valid.",
  typeId: (userId: string) => `Type ${userId} to confirm`,
  erased: (userId: string) => `${userId} is erased.`,
};
