import type { ConsentsTexts } from "./texts";

export const de: ConsentsTexts = {
  title: "Zustimmungen",
};
