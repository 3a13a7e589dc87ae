import { pageTexts } from "../../language/page-texts";

export interface SettingsTexts {
  readonly title: string;
}

export const useSettingsTexts = pageTexts<SettingsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
