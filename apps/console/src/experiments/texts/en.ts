import type { ExperimentsTexts } from "./texts";

export const en: ExperimentsTexts = {
  title: "Experiments",
};
