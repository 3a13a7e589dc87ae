import { pageTexts } from "../../language/page-texts";
import type { en } from "./en";

/** What English says, every other language says too. */
export type OverviewTexts = typeof en;

export const useOverviewTexts = pageTexts<OverviewTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  fr: () => import("./fr").then(({ fr }) => fr),
  es: () => import("./es").then(({ es }) => es),
  pt: () => import("./pt").then(({ pt }) => pt),
  ar: () => import("./ar").then(({ ar }) => ar),
});
