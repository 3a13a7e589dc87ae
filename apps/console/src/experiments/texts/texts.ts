import { pageTexts } from "../../language/page-texts";

export interface ExperimentsTexts {
  readonly title: string;
}

export const useExperimentsTexts = pageTexts<ExperimentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
