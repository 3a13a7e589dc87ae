import type { en } from "./generated/en";
import type { Texts } from "./generated/texts";

/** Every word of the rider app itself; those of the consent screen and the viewer come with them. */
export type RiderTexts = Texts;

/** The words of the frame around every page, and of what stands there before a page has come. */
export type FirstTexts = Omit<typeof en, "dir" | "lang"> & Pick<Texts, "dir" | "lang">;
