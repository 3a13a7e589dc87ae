import { pageTexts } from "../../language/page-texts";

export interface EnvironmentTexts {
  readonly environment: string;
  readonly none: string;
  readonly noneHint: string;
}

export const useEnvironmentTexts = pageTexts<EnvironmentTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
