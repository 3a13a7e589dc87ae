// Generated from en.arb by tools/texts. Do not edit.

/** Every word of this catalogue. A language is one object of this shape. */
export interface Texts {
  /** The language of these words, as BCP 47 has it. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly skip: string;
  readonly nav: {
    readonly label: string;
    readonly start: string;
    readonly apply: string;
    readonly terms: string;
    readonly agreements: string;
  };
  readonly language: string;
  readonly appearance: {
    readonly label: string;
    readonly system: string;
    readonly light: string;
    readonly dark: string;
  };
  readonly start: {
    readonly title: string;
    readonly sentences: readonly [string, string, string];
    /** The title of the start page of a company’s server. */
    readonly welcome: (company: string) => string;
    /** The same, where the name of the company is not set. */
    readonly welcomePlain: string;
    readonly demo: string;
    readonly asApplicant: string;
    readonly applicantHint: string;
    readonly asRider: string;
    readonly riderHint: string;
    readonly whichRider: string;
    readonly starting: string;
    readonly apply: string;
    readonly applyHint: string;
    readonly ridersTitle: string;
    readonly ridersText: string;
    readonly leave: string;
    /** After a log-out that the server could not be told of, and will not be told of by itself. */
    readonly leftOpen: string;
    readonly withCode: string;
  };
  readonly tips: {
    readonly "keep-receipts": {
      readonly title: string;
      readonly text: string;
    };
    readonly "plan-break": {
      readonly title: string;
      readonly text: string;
    };
  };
  readonly supportHours: (from: string, to: string) => string;
  readonly signedOut: {
    readonly title: string;
    readonly text: string;
    readonly enter: string;
  };
  readonly ended: {
    readonly title: string;
    readonly text: string;
    /** Behind `ended.text`, if there are ticks that were not sent. */
    readonly ticks: string;
    /** Behind `ended.text`, if a decision without an answer may wait on this phone. */
    readonly waiting: string;
    readonly signIn: string;
    readonly suspended: string;
  };
  readonly offline: {
    readonly note: string;
    /** Below what was kept from an earlier look. */
    readonly asOf: (dateAndTime: string) => string;
    /** Beside the button that signs out. */
    readonly leave: string;
  };
  readonly signIn: {
    /** Of the page, and of the button that ends it. */
    readonly title: string;
    readonly intro: string;
    readonly identifier: string;
    readonly unusable: string;
    readonly send: string;
    /** A link to applying follows. */
    readonly noAccount: string;
    readonly codeTitle: string;
    /** The phone number or e-mail address follows. */
    readonly sentTo: string;
    readonly code: string;
    readonly wrongCode: string;
    readonly throttled: string;
    /** A time such as 1:05. */
    readonly throttledFor: (time: string) => string;
    readonly resend: string;
    /** Under the button that sends one more. */
    readonly fewMessages: string;
    readonly resendIn: (time: string) => string;
    readonly change: string;
    /** The code follows. */
    readonly demoContacts: string;
    readonly demoCode: string;
    readonly useCode: string;
  };
  readonly status: {
    readonly hello: (name: string) => string;
    readonly signedIn: string;
    readonly loading: string;
    readonly unknown: string;
    readonly now: (documents: number) => string;
    readonly nowText: string;
    readonly by: (documents: number, day: string) => string;
    /** Until which instant nothing is held up. */
    readonly byText: (dateAndTime: string) => string;
    readonly review: string;
    readonly done: string;
    readonly doneText: string;
    /** Above a list in which no term is required. */
    readonly optionalOnly: string;
    /** Sent, and no answer came. */
    readonly pending: string;
    /** Without an account nobody knows whose it was. */
    readonly pendingHere: string;
    readonly pendingText: string;
    /** Below “A decision made on this phone is not confirmed yet”, when it may be that of somebody who is signed out. */
    readonly pendingRider: string;
    readonly confirm: string;
    readonly unsent: string;
    readonly unsentText: string;
    readonly refused: string;
    readonly refusedText: string;
    readonly settled: string;
    readonly settledText: string;
    readonly open: string;
  };
  readonly applied: {
    readonly title: (day: string) => string;
    readonly next: string;
    readonly nextText: string;
    readonly show: string;
    readonly another: string;
    /** Asked before somebody else starts afresh. The receipt numbers follow, each to be copied. */
    readonly forgetText: string;
    /** In the same place, when a decision of before waits to be sent. */
    readonly forgetPending: string;
    /** The button that does it. */
    readonly forget: string;
    /** The button that leaves everything as it is. */
    readonly stay: string;
    readonly anotherHint: string;
    /** Above a fresh list: somebody has agreed on this phone before. */
    readonly before: (dateAndTime: string) => string;
  };
  readonly join: {
    readonly title: string;
    readonly text: (dateAndTime: string) => string;
    readonly action: string;
    readonly notMine: string;
    readonly look: string;
    readonly joined: string;
    readonly other: string;
    readonly byNumberTitle: string;
    readonly byNumberText: string;
    readonly later: string;
    readonly laterText: string;
  };
  readonly devices: {
    readonly title: string;
    readonly intro: string;
    readonly unknown: string;
    readonly current: string;
    readonly lastUsed: (date: string) => string;
    readonly since: (date: string) => string;
    readonly end: string;
    readonly endOthers: string;
    readonly ended: string;
    readonly noOthers: string;
  };
  readonly systems: {
    /** The page about automated systems that monitor riders or decide about them, and the link to it. */
    readonly title: string;
    readonly intro: string;
    readonly none: string;
    readonly monitoring: string;
    readonly decision: string;
    readonly data: string;
    /** The heading of the main parameters of a system. “secondary” follows for the others. */
    readonly main: string;
    readonly secondary: string;
    readonly decisions: string;
    readonly oversight: string;
    readonly contact: string;
    readonly since: (date: string, version: string) => string;
    readonly asOf: (dateAndTime: string) => string;
  };
  readonly notices: {
    /** The page of texts that the company informs riders of, without asking for agreement, and the link to it. */
    readonly title: string;
    readonly intro: string;
    readonly none: string;
    readonly unread: string;
    readonly opened: string;
    readonly openedOn: (date: string) => string;
    /** For a notice that is not in effect yet. */
    readonly effectiveFrom: (date: string) => string;
    /** For a notice that is in effect. */
    readonly effectiveSince: (date: string) => string;
    /** On the start page. The title may be in another language. */
    readonly newest: (title: string) => string;
    readonly toNotices: string;
  };
  readonly push: {
    /** The heading of the switch of push messages of the device. Not the same word as that of the company's notices. */
    readonly title: string;
    readonly ask: string;
    readonly askText: (company: string) => string;
    readonly askTextPlain: string;
    readonly turnOn: string;
    readonly refuse: string;
    readonly isOn: string;
    /** The label of a switch below the heading "Notifications". */
    readonly label: string;
    readonly blocked: string;
  };
  readonly restriction: {
    readonly title: string;
    readonly kinds: {
      readonly limitation: string;
      readonly suspension: string;
      readonly termination: string;
    };
    readonly ended: {
      readonly limitation: string;
      readonly suspension: string;
      readonly termination: string;
    };
    readonly since: string;
    readonly from: string;
    readonly until: string;
    readonly noEnd: string;
    readonly lifted: string;
    readonly contact: string;
    readonly none: string;
    readonly review: string;
    readonly outcomes: {
      readonly upheld: string;
      readonly changed: string;
      readonly lifted: string;
    };
    readonly reviewClosed: string;
    readonly askReview: string;
    readonly reviewLabel: string;
    readonly reviewHint: string;
    readonly sendReview: string;
  };
  readonly work: {
    readonly title: string;
    readonly evaluation: string;
    readonly contest: string;
    readonly intro: string;
    readonly empty: string;
    readonly more: string;
    readonly all: string;
    readonly back: string;
    readonly missing: string;
    readonly download: string;
    readonly downloadText: string;
    readonly print: string;
    readonly printText: string;
    readonly saved: string;
    readonly kinds: {
      readonly shift: string;
      readonly order: string;
      readonly period: string;
      readonly other: string;
    };
    readonly recorded: string;
    readonly planned: string;
    readonly actual: string;
    readonly endedAt: (dateAndTime: string) => string;
    readonly plannedTime: string;
    readonly workedTime: string;
    readonly lateBy: string;
    readonly earlyBy: string;
    readonly overtime: string;
    readonly zone: (zone: string) => string;
    readonly why: string;
    readonly noReasons: string;
    readonly who: string;
    readonly by: {
      readonly program: (name: string, version: string) => string;
      readonly service: string;
      readonly dispatcher: string;
      readonly reviewer: string;
      readonly human: string;
      readonly rider: string;
      readonly lapse: string;
    };
    readonly basedOn: (name: string, version: string) => string;
    readonly howItWorks: string;
    readonly until: string;
    readonly openUntil: (dateAndTime: string) => string;
    readonly final: (dateAndTime: string) => string;
    readonly closed: string;
    readonly undecided: string;
    readonly discussed: string;
    readonly roundsUsed: string;
    readonly confirm: string;
    readonly confirmText: string;
    readonly confirmed: string;
    readonly thread: string;
    readonly due: (dateAndTime: string) => string;
    readonly overdue: (dateAndTime: string) => string;
    readonly sides: {
      readonly rider: string;
      readonly reviewer: string;
    };
    readonly claimed: string;
    readonly addMessage: string;
    readonly sendMessage: string;
    readonly messageSent: string;
    readonly withdraw: string;
    readonly withdrawText: string;
    readonly stay: string;
    readonly history: string;
    readonly receipts: string;
    readonly receiptsText: string;
    readonly wrong: string;
    readonly wrongHint: string;
    readonly tooShort: string;
    readonly tooLong: string;
    readonly rightTimes: string;
    readonly startedAt: string;
    readonly finishedAt: string;
    readonly workedMinutes: string;
    readonly stays: string;
    readonly sendContest: string;
    readonly sending: string;
    readonly contested: string;
    readonly unsent: string;
    readonly unsentText: string;
    readonly unanswered: string;
    readonly unansweredText: string;
    readonly takeBack: string;
    readonly rejected: string;
    readonly rejections: {
      readonly changed: string;
      readonly closed: string;
      readonly expired: string;
    };
    readonly offline: (dateAndTime: string) => string;
    readonly late: (dateAndTime: string) => string;
    readonly status: {
      readonly PENDING: string;
      readonly EVALUATED: string;
      readonly IN_DISCUSSION: string;
      readonly NO_SHOW: string;
      readonly ACCEPTED: string;
      readonly REJECTED: string;
    };
  };
  readonly receipt: {
    readonly title: string;
    /** An applicant who withdrew by receipt reads a receipt on which nothing was agreed. */
    readonly titleRecorded: string;
    readonly when: string;
    readonly what: string;
    readonly agreed: string;
    readonly notAgreed: string;
    readonly id: string;
    readonly copy: string;
    readonly copied: string;
    readonly share: string;
    readonly linkCopied: string;
    readonly qrTitle: string;
    readonly qrText: string;
    readonly keep: string;
    /** Above the note to keep the number, where the browser stores nothing. */
    readonly notKept: string;
    readonly toAgreements: string;
    readonly missingTitle: string;
    readonly errors: {
      readonly unknown: string;
      /** To a session another's receipt looks like one that does not exist. */
      readonly notYours: string;
      readonly ofAccount: string;
      readonly ofAnother: string;
      readonly erased: string;
    };
    readonly open: {
      readonly title: string;
      readonly text: string;
      readonly action: string;
      readonly again: string;
      readonly unusable: string;
      /** About the code on the certificate. */
      readonly code: string;
    };
    /** What can still be changed by this receipt. */
    readonly today: string;
    readonly todayText: string;
    /** A link to the newest receipt follows. */
    readonly recorded: string;
    readonly newest: string;
    readonly keepHere: string;
    readonly keptHere: string;
  };
  readonly proof: {
    readonly title: string;
    readonly text: string;
    readonly check: string;
    readonly download: string;
    readonly confirmed: string;
    readonly asShown: string;
    /** Whose it is: a rider's by the user id, an applicant's by the receipt number. */
    readonly ofUser: string;
    readonly ofHolder: string;
    readonly inLog: (position: string, size: string) => string;
    /** The key follows. */
    readonly signedWith: string;
    readonly onThisDevice: string;
    readonly otherFiles: string;
    readonly certificate: string;
    readonly certificateFailed: string;
    readonly proofOnly: string;
    readonly notConfirmed: string;
    readonly notChecked: string;
    readonly problems: {
      readonly damaged: string;
      readonly changed: string;
      readonly otherKey: string;
      readonly otherPerson: string;
      /** These two say nothing about the receipt. */
      readonly unsupported: string;
      readonly unreachable: string;
    };
  };
  readonly agreements: {
    readonly title: string;
    readonly intro: string;
    readonly emptyTitle: string;
    /** The title for a person who is not signed in: only this phone was searched. */
    readonly emptyHere: string;
    readonly emptyRider: string;
    readonly emptyApplicant: string;
    /** Where the browser stores nothing: nobody may say that nothing was agreed. */
    readonly notKeptTitle: string;
    /** Under this title, and under a list that is lost with the page. */
    readonly notKeptText: string;
    readonly toTerms: string;
    readonly toApply: string;
    /** The words beside the switch: the same for withdrawing and for agreeing again. */
    readonly agree: string;
    readonly agreedOn: (date: string) => string;
    readonly withdrewOn: (date: string) => string;
    readonly declinedOn: (date: string) => string;
    readonly withdrewElsewhere: string;
    readonly agreedElsewhere: string;
    readonly standingUnknown: string;
    readonly undecided: string;
    /** An earlier version was agreed to, and this one is not decided on. */
    readonly undecidedSince: (version: string, dateAndTime: string) => string;
    readonly required: string;
    readonly replaced: string;
    readonly saving: string;
    /** A press of the switch: sent, and not confirmed. */
    readonly unconfirmed: (dateAndTime: string) => string;
    /** The same, after the server has forgotten its key. */
    readonly expired: (dateAndTime: string) => string;
    readonly read: string;
    readonly readNamed: (title: string) => string;
    readonly history: string;
    readonly historyText: string;
    readonly agreed: string;
    readonly withdrew: string;
    readonly declined: string;
    readonly receipt: string;
    readonly earlier: string;
    readonly onThisDevice: string;
    /** Applicants who agreed on this phone before the newest one. */
    readonly others: string;
    readonly othersText: string;
  };
  readonly notFound: {
    readonly title: string;
    readonly text: string;
  };
  readonly signer: {
    /** On the consent screen, so that a person on a shared phone sees for whom they agree. */
    readonly rider: (name: string) => string;
    readonly applicant: string;
    /** On the consent screen: whose terms they are. */
    readonly company: (company: string) => string;
    /** The same words as `join.title`. A link to the offer to join. */
    readonly wasYou: string;
  };
  readonly otherPerson: {
    /** Instead of the page, after another person has signed in in another tab. */
    readonly title: string;
    readonly text: (name: string) => string;
    readonly continue: (name: string) => string;
  };
  readonly backToStart: string;
  readonly loading: string;
  readonly tryAgain: string;
  readonly optional: string;
  /** By the name of the version, such as 1.1. */
  readonly version: (name: string) => string;
  readonly failure: {
    readonly offline: string;
    readonly unsent: string;
    readonly server: string;
    readonly signedOut: string;
    readonly rateLimited: string;
    readonly refused: string;
    readonly changed: string;
    readonly clock: string;
    readonly unknownMarket: string;
  };
}
