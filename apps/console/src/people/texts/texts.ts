import { pageTexts } from "../../language/page-texts";

export interface PeopleTexts {
  readonly title: string;
}

export const usePeopleTexts = pageTexts<PeopleTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
