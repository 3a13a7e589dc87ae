import type { Texts } from "./generated/texts";

/** Every word of the rider app itself; those of the consent screen and the viewer come with them. */
export type RiderTexts = Texts;
