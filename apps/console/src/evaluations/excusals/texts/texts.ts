import { pageTexts } from "../../../language/page-texts";
import type { en } from "./en";

/** Every language has the texts that English has. */
export type ExcusalsTexts = typeof en;

export const useExcusalsTexts = pageTexts<ExcusalsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  fr: () => import("./fr").then(({ fr }) => fr),
  es: () => import("./es").then(({ es }) => es),
  pt: () => import("./pt").then(({ pt }) => pt),
  ar: () => import("./ar").then(({ ar }) => ar),
});
