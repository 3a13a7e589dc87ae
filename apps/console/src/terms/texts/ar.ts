import type { TermsTexts } from "./texts";

export const ar: TermsTexts = {
  title: "الشروط",
};
