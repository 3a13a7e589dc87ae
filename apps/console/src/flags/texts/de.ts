import type { FlagsTexts } from "./texts";

export const de: FlagsTexts = {
  title: "Flags",
};
