// Generated from en.arb by tools/texts. Do not edit.

/** Every word of this catalogue. A language is one object of this shape. */
export interface Texts {
  /** The language of these words, as BCP 47 has it. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly consent: {
    readonly title: string;
    readonly description: string;
    readonly agreeAll: string;
    /** Below "agree to all", when some of the terms are not mandatory. */
    readonly agreeAllNote: (total: number) => string;
    readonly optional: string;
    readonly changed: string;
    /** Beside a document that does not exist in the language that was asked for. */
    readonly inLanguage: (language: string) => string;
    readonly accept: string;
    readonly back: string;
    readonly close: string;
    readonly open: (title: string) => string;
    readonly openAll: string;
    readonly requiredLeft: (n: number) => string;
    readonly loading: string;
    readonly loadingSlow: string;
    readonly sending: string;
    readonly saved: string;
    readonly noTerms: string;
    readonly loadFailed: string;
    readonly viewerFailed: string;
    readonly tryAgain: string;
    /** The button under a decision that has no answer yet, and is sent again by itself too. */
    readonly tryNow: string;
    /** What was confirmed without a network and is not sent yet. */
    readonly takeBack: string;
    readonly submitFailed: {
      readonly offline: string;
      readonly unsent: string;
      readonly changed: string;
      readonly signedOut: string;
      readonly rateLimited: string;
      readonly clock: string;
      readonly unknownMarket: string;
      readonly refused: string;
      readonly slow: string;
      /** After a press: the server said something else about earlier decisions than the ticks were made from, or could not be asked once more. */
      readonly reticked: string;
      readonly server: string;
    };
    /** Behind a failure whose answer said how long to wait. */
    readonly wait: (seconds: number) => string;
    /** Above the list, while nobody can say what was decided earlier. */
    readonly earlierUnknown: string;
    /** Instead of earlierUnknown, while the device has no network. */
    readonly earlierOffline: string;
    /** On the row of an optional term that the user refused or withdrew earlier. */
    readonly declined: string;
    /** On the row of a required term that the user has not agreed to and that is required only later. */
    readonly requiredFrom: (at: string) => string;
    /** After a quarter of an hour without a touch. */
    readonly cleared: string;
    /** Above the list, where ticks of this account from earlier in this tab are set again, for example after a new sign-in. */
    readonly kept: string;
    readonly pending: {
      readonly sending: (at: string) => string;
      readonly unanswered: (at: string) => string;
      readonly unsent: (at: string) => string;
      readonly refused: (at: string) => string;
      readonly expired: (at: string) => string;
      readonly decideAnew: string;
      /** Recorded, but it may be another person's who held this phone. */
      readonly whose: (at: string) => string;
      readonly mine: string;
      readonly notMine: string;
    };
  };
  readonly viewer: {
    readonly close: string;
    readonly back: string;
    readonly previous: string;
    readonly next: string;
    /** Which of several documents is shown: "2 of 5". */
    readonly position: (n: number, total: number) => string;
    readonly page: (n: number, total: number) => string;
    /** Behind the page number, when the document is in another language than the words around it. */
    readonly inLanguage: (language: string) => string;
    readonly zoomIn: string;
    readonly zoomOut: string;
    readonly readingView: string;
    readonly pageView: string;
    readonly originalPdf: string;
    readonly download: string;
    readonly loading: string;
    readonly failed: string;
    /** In place of the picture of a page; the other pages of the document are there. */
    readonly pageFailed: (n: number) => string;
    readonly tryAgain: string;
    /** A scan has pictures of pages and no words. */
    readonly noText: string;
    /** Back to the size at which a page fills the width. */
    readonly fit: string;
    readonly textLarger: string;
    readonly textSmaller: string;
    /** Offered on narrow screens, where the print of a page is too small to read. */
    readonly readAsText: string;
    readonly search: string;
    readonly previousMatch: string;
    readonly nextMatch: string;
    readonly notFound: string;
    /** Behind the number of matches. */
    readonly picturesNotSearched: string;
    readonly readAloud: string;
    readonly stopReading: string;
    readonly noVoice: string;
    readonly textSettings: string;
    readonly spacing: string;
    readonly spacingNormal: string;
    readonly spacingWide: string;
    /** The colours of the reading view: as the app, light or dark. */
    readonly colours: string;
    readonly coloursAuto: string;
    readonly coloursLight: string;
    readonly coloursDark: string;
    /** At the top of the reading view. */
    readonly readingNote: string;
    /** At the top of the reading view of a document that was published by an earlier version. */
    readonly uncheckedNote: string;
    /** Over the picture of a page in the reading view. */
    readonly doubtfulPage: (n: number) => string;
    /** Over the picture of a page in the reading view: a scan. */
    readonly pictureOfPage: (n: number) => string;
    /** Opens the text of a doubtful page. */
    readonly doubtfulText: string;
    /** Over a part of a page that is shown as a picture because its text may say something else. */
    readonly marked: (n: number) => string;
    /** What a picture without a name is called for who cannot see it. */
    readonly figure: (n: number) => string;
    readonly table: string;
  };
  readonly changes: {
    readonly show: string;
    /** Which versions are compared, by their names. */
    readonly between: (before: string, now: string) => string;
    readonly counted: (added: number, removed: number) => string;
    /** Beside the signs that mark them. */
    readonly addedSign: string;
    readonly removedSign: string;
    /** Spoken before what was added or removed, and after it. */
    readonly added: string;
    readonly removed: string;
    readonly end: string;
    readonly unchanged: (paragraphs: number) => string;
    readonly more: string;
    readonly same: string;
    readonly sameElsewhere: string;
    /** A page that is not text, or only in parts. */
    readonly unread: (n: number) => string;
    readonly different: string;
    readonly textless: string;
    readonly otherLanguage: string;
    readonly failed: string;
    readonly formerPdf: string;
  };
  readonly markets: {
    readonly title: string;
    readonly lead: string;
    /** Instead of the lead, if the page was opened by a link with a place that does not exist. */
    readonly unknownLink: string;
    readonly search: string;
    /** The last choice in a list of places: none of them. */
    readonly elsewhere: string;
    readonly none: string;
    readonly loading: string;
    readonly loadFailed: string;
    /** Above the terms, with a button to change it: a place such as Berlin, Germany. */
    readonly chosen: (place: string) => string;
    readonly change: string;
  };
  readonly ui: {
    readonly status: {
      readonly WORKING: string;
      readonly LATE: string;
      readonly NOT_WORKING: string;
      readonly STARTING_SOON: string;
      readonly FINISHING_SOON: string;
      readonly OVERTIME: string;
      readonly PENDING: string;
      readonly EVALUATED: string;
      readonly IN_DISCUSSION: string;
      readonly NO_SHOW: string;
      readonly ACCEPTED: string;
      readonly REJECTED: string;
      readonly ACHIEVED: string;
      readonly UNACHIEVED: string;
      readonly ONGOING: string;
    };
  };
}
