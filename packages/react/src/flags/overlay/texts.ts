import type { Texts } from "./texts/generated/texts";

/** Every word of the overlay; apart from those of the consent screen, since no rider has to load it. */
export type OverlayTexts = Texts;
export type RowStatus = keyof OverlayTexts["status"];
