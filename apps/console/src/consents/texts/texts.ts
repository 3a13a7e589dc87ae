import { pageTexts } from "../../language/page-texts";

export interface ConsentsTexts {
  readonly title: string;
}

export const useConsentsTexts = pageTexts<ConsentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
