import type { ConsentsTexts } from "./texts";

export const en: ConsentsTexts = {
  title: "Consents",
};
