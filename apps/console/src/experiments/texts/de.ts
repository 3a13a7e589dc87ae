import type { ExperimentsTexts } from "./texts";

export const de: ExperimentsTexts = {
  title: "Experimente",
};
