import { pageTexts } from "../../language/page-texts";

export interface FlagsTexts {
  readonly title: string;
}

export const useFlagsTexts = pageTexts<FlagsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
