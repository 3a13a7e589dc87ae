import type { ExperimentsTexts } from "./texts";

export const ar: ExperimentsTexts = {
  title: "التجارب",
};
