import type { en } from "./en";

/** What English says, every other language says too. */
export type ConsoleTexts = typeof en;
