import type { enConsentDeferred } from "./generated/en-consent-deferred";
import type { Texts } from "./generated/texts";

export type { Texts } from "./generated/texts";

/** The texts of the consent screen. */
export type ConsentTexts = Texts["consent"];
/** The texts about a submission that was confirmed `at` a time, and whose answer was not seen. */
export type PendingTexts = ConsentTexts["pending"];
/** The texts of the document viewer. */
export type ViewerTexts = Texts["viewer"];
/** What has changed in a text since somebody agreed to it. */
export type ChangesTexts = Texts["changes"];
/** The texts of the list of markets. */
export type MarketsTexts = Texts["markets"];
/** The texts of the interface kit. */
export type UiTexts = Texts["ui"];

/** What the consent screen says later than at the first look, if at all. */
type DeferredConsentTexts = Pick<ConsentTexts, keyof (typeof enConsentDeferred)["consent"]>;

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
  readonly markets?: Partial<MarketsTexts>;
  readonly ui?: Partial<UiTexts>;
}

/** Any part of a language, laid over the whole one. */
export type TextOverrides = {
  // The words for changes come as a whole: they are laid over once they are needed, which is late.
  readonly [Part in keyof Texts]?: Texts[Part] extends string | ChangesTexts
    ? Texts[Part]
    : Partial<Texts[Part]>;
};
