import type { FlagsTexts } from "./texts";

export const ar: FlagsTexts = {
  title: "أعلام الميزات",
};
