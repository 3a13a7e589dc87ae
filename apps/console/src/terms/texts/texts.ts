import { pageTexts } from "../../language/page-texts";

export interface TermsTexts {
  readonly title: string;
}

export const useTermsTexts = pageTexts<TermsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
