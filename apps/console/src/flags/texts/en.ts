import type { FlagsTexts } from "./texts";

export const en: FlagsTexts = {
  title: "Flags",
};
