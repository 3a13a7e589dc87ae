import type { TermsTexts } from "./texts";

export const de: TermsTexts = {
  title: "Bedingungen",
};
