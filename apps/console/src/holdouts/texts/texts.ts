import { pageTexts } from "../../language/page-texts";

export interface HoldoutsTexts {
  readonly title: string;
}

export const useHoldoutsTexts = pageTexts<HoldoutsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
