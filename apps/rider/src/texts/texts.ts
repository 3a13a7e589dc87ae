import type { FailureKind } from "@musette/client/terms";

/** Every word of the rider app itself; those of the consent screen and the viewer come with them. */
export interface RiderTexts {
  readonly skip: string;
  readonly nav: { label: string; start: string; apply: string; terms: string; agreements: string };
  readonly language: string;
  readonly appearance: { label: string; system: string; light: string; dark: string };
  readonly start: StartTexts;
  /** By the values of the flag `start-tip`. */
  readonly tips: Readonly<Record<"keep-receipts" | "plan-break", { title: string; text: string }>>;
  readonly supportHours: (from: string, to: string) => string;
  readonly signedOut: { title: string; text: string; enter: string };
  readonly ended: { title: string; text: string; signIn: string; suspended: string };
  readonly signIn: SignInTexts;
  readonly devices: DevicesTexts;
  readonly status: StatusTexts;
  readonly applied: AppliedTexts;
  readonly join: JoinTexts;
  readonly receipt: ReceiptTexts;
  readonly proof: ProofTexts;
  readonly agreements: AgreementsTexts;
  readonly notFound: { title: string; text: string };
  readonly backToStart: string;
  readonly loading: string;
  readonly tryAgain: string;
  readonly optional: string;
  /** By the name of the version, such as 1.1. */
  readonly version: (name: string) => string;
  readonly failure: Readonly<Record<FailureKind, string>>;
}

interface StartTexts {
  title: string;
  sentences: readonly [string, string, string];
  demo: string;
  asApplicant: string;
  applicantHint: string;
  asRider: string;
  riderHint: string;
  whichRider: string;
  starting: string;
  apply: string;
  applyHint: string;
  ridersTitle: string;
  ridersText: string;
  openTerms: string;
  leave: string;
  withCode: string;
}

/** Where a rider stands with what is required. */
interface StatusTexts {
  hello: (name: string) => string;
  signedIn: string;
  loading: string;
  unknown: string;
  now: (documents: number) => string;
  nowText: string;
  by: (documents: number, day: string) => string;
  /** Until which instant nothing is held up. */
  byText: (dateAndTime: string) => string;
  review: string;
  done: string;
  doneText: string;
  /** Sent, and no answer came. */
  pending: string;
  /** Without an account nobody knows whose it was. */
  pendingHere: string;
  pendingText: string;
  confirm: string;
}

/** For somebody who agreed without an account, on this phone. */
interface AppliedTexts {
  title: (day: string) => string;
  next: string;
  nextText: string;
  show: string;
  another: string;
  anotherHint: string;
  /** Above a fresh list: somebody has agreed on this phone before. */
  before: (dateAndTime: string) => string;
}

/** Joining what was agreed to without an account to the account. */
interface JoinTexts {
  title: string;
  text: (dateAndTime: string) => string;
  action: string;
  notMine: string;
  look: string;
  joined: string;
  other: string;
  byNumberTitle: string;
  byNumberText: string;
  later: string;
  laterText: string;
}

interface SignInTexts {
  /** Of the page, and of the button that ends it. */
  title: string;
  intro: string;
  identifier: string;
  unusable: string;
  send: string;
  /** A link to applying follows. */
  noAccount: string;
  codeTitle: string;
  /** The phone number or e-mail address follows. */
  sentTo: string;
  code: string;
  wrongCode: string;
  throttled: string;
  /** A time such as 1:05. */
  throttledFor: (time: string) => string;
  resend: string;
  /** Under the button that sends one more. */
  fewMessages: string;
  resendIn: (time: string) => string;
  change: string;
  /** The code follows. */
  demoContacts: string;
  demoCode: string;
  useCode: string;
}

interface DevicesTexts {
  title: string;
  intro: string;
  unknown: string;
  current: string;
  lastUsed: (date: string) => string;
  since: (date: string) => string;
  end: string;
  endOthers: string;
  ended: string;
  noOthers: string;
}

interface ReceiptTexts {
  title: string;
  /** An applicant who withdrew by receipt reads a receipt on which nothing was agreed. */
  titleRecorded: string;
  when: string;
  what: string;
  agreed: string;
  notAgreed: string;
  id: string;
  copy: string;
  copied: string;
  keep: string;
  toAgreements: string;
  missingTitle: string;
  troubles: {
    unknown: string;
    /** To a session another's receipt looks like one that does not exist. */
    notYours: string;
    ofAccount: string;
    ofAnother: string;
    erased: string;
  };
  open: {
    title: string;
    text: string;
    action: string;
    again: string;
    unusable: string;
    /** About the code on the certificate. */
    code: string;
  };
  /** What can still be changed by this receipt. */
  today: string;
  todayText: string;
  /** A link to the newest receipt follows. */
  recorded: string;
  newest: string;
  keepHere: string;
  keptHere: string;
}

interface ProofTexts {
  title: string;
  text: string;
  check: string;
  download: string;
  confirmed: string;
  asShown: string;
  /** Whose it is: a rider's by the user id, an applicant's by the receipt number. */
  ofUser: string;
  ofHolder: string;
  inLog: (position: string, size: string) => string;
  /** The key follows. */
  signedWith: string;
  onThisDevice: string;
  otherFiles: string;
  certificate: string;
  certificateFailed: string;
  proofOnly: string;
  notConfirmed: string;
  notChecked: string;
  problems: {
    damaged: string;
    changed: string;
    otherKey: string;
    otherPerson: string;
    /** These two say nothing about the receipt. */
    unsupported: string;
    unreachable: string;
  };
}

interface AgreementsTexts {
  title: string;
  intro: string;
  emptyTitle: string;
  emptyRider: string;
  emptyApplicant: string;
  toTerms: string;
  toApply: string;
  /** The words beside the switch: the same for withdrawing and for agreeing again. */
  agree: string;
  agreedOn: (date: string) => string;
  withdrewOn: (date: string) => string;
  declinedOn: (date: string) => string;
  withdrewElsewhere: string;
  agreedElsewhere: string;
  standingUnknown: string;
  undecided: string;
  /** An earlier version was agreed to, and this one is not decided on. */
  undecidedSince: (version: string, dateAndTime: string) => string;
  required: string;
  replaced: string;
  saving: string;
  /** A press of the switch: sent, and not confirmed. */
  unconfirmed: (dateAndTime: string) => string;
  /** The same, after the server has forgotten its key. */
  expired: (dateAndTime: string) => string;
  read: string;
  readNamed: (title: string) => string;
  history: string;
  historyText: string;
  agreed: string;
  withdrew: string;
  declined: string;
  receipt: string;
  earlier: string;
  onThisDevice: string;
  /** Applicants who agreed on this phone before the newest one. */
  others: string;
  othersText: string;
}
