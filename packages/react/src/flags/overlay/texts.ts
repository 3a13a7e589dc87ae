import type { Texts } from "./texts/generated/texts";

/** All texts of the overlay. They are separate from the consent screen, so that riders do not load them. */
export type OverlayTexts = Texts;
export type RowStatus = keyof OverlayTexts["status"];
