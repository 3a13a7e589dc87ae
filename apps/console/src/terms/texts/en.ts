import type { TermsTexts } from "./texts";

export const en: TermsTexts = {
  title: "Terms",
};
