import type { FailureKind } from "@musette/client/terms";
import type { Status } from "../theme";

/** Every word the components show. A language is one object of this shape; a host may bring its own. */
export interface Texts {
  /** The language of these words, as BCP 47 has it. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly consent: ConsentTexts;
  readonly viewer: ViewerTexts;
  readonly changes: ChangesTexts;
  readonly ui: UiTexts;
}

/** What the consent screen says later than at the first look, if at all. */
export type DeferredConsentTexts = Pick<
  ConsentTexts,
  | "saved"
  | "viewerFailed"
  | "submitFailed"
  | "wait"
  | "earlierUnknown"
  | "declined"
  | "agreeAllExcept"
  | "cleared"
  | "pending"
>;

/** At least the text for "offline": the rest of the screen cannot be loaded then either. */
export type ConsentTextsAtHand = Omit<ConsentTexts, keyof DeferredConsentTexts> &
  Partial<Omit<DeferredConsentTexts, "submitFailed">> & {
    readonly submitFailed: Partial<DeferredConsentTexts["submitFailed"]> & {
      readonly offline: string;
    };
  };

/** A language that may lack what is only needed later; English has those words for it. */
export interface TextsAtHand extends Pick<Texts, "lang" | "dir"> {
  readonly consent: ConsentTextsAtHand;
  readonly viewer?: Partial<ViewerTexts>;
  readonly changes?: Partial<ChangesTexts>;
  readonly ui?: Partial<UiTexts>;
}

/** Any part of a language, laid over the whole one. */
export type TextOverrides = {
  // The words for changes come as a whole: they are laid over once they are needed, which is late.
  readonly [Part in keyof Texts]?: Texts[Part] extends string | ChangesTexts
    ? Texts[Part]
    : Partial<Texts[Part]>;
};

/** The texts of the consent screen. */
export interface ConsentTexts {
  readonly title: string;
  readonly description: string;
  readonly agreeAll: string;
  /** Below "agree to all", when some of the terms are not mandatory. */
  readonly agreeAllNote: (total: number) => string;
  readonly optional: string;
  readonly changed: string;
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
  readonly submitFailed: Readonly<Record<FailureKind | "slow", string>>;
  /** Behind a failure whose answer said how long to wait. */
  readonly wait: (seconds: number) => string;
  /** Above the list, while nobody can say what was decided earlier. */
  readonly earlierUnknown: string;
  /** On the row of an optional term that was refused or withdrawn, which "agree to all" leaves alone. */
  readonly declined: string;
  /** Below "agree to all", when it leaves some alone. */
  readonly agreeAllExcept: string;
  /** After a quarter of an hour without a touch. */
  readonly cleared: string;
  readonly pending: PendingTexts;
}

/** The texts about a submission that was confirmed `at` a time, and whose answer was not seen. */
export interface PendingTexts {
  readonly sending: (at: string) => string;
  readonly unanswered: (at: string) => string;
  readonly expired: (at: string) => string;
  readonly decideAnew: string;
  /** Recorded, but it may be another person's who held this phone. */
  readonly whose: (at: string) => string;
  readonly mine: string;
  readonly notMine: string;
}

/** The texts of the document viewer. */
export interface ViewerTexts {
  readonly close: string;
  readonly back: string;
  readonly previous: string;
  readonly next: string;
  /** Which of several documents is shown: "2 of 5". */
  readonly position: (n: number, total: number) => string;
  readonly page: (n: number, total: number) => string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly readingView: string;
  readonly pageView: string;
  readonly originalPdf: string;
  readonly download: string;
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
  /** A scan has pictures of pages and no words. */
  readonly noText: string;
  /** Back to the size at which a page fills the width. */
  readonly fit: string;
  readonly textLarger: string;
  readonly textSmaller: string;
  /** Offered on narrow screens, where the print of a page is too small to read. */
  readonly readAsText: string;
}

/** What has changed in a text since somebody agreed to it. */
export interface ChangesTexts {
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
  readonly different: string;
  readonly textless: string;
  readonly otherLanguage: string;
  readonly failed: string;
  readonly formerPdf: string;
}

/** The texts of the interface kit. */
export interface UiTexts {
  readonly status: Readonly<Record<Status, string>>;
}
