import { createLanguage } from "@musette/react/language";
import { en } from "./texts/en";
import type { ConsoleTexts } from "./texts/texts";

export const {
  offered,
  firstLanguage,
  prepareLanguage,
  LanguageProvider,
  useLanguage,
  LanguageSwitch,
} = createLanguage<ConsoleTexts>(en, {
  en: async () => en,
  de: () => import("./texts/de").then(({ de }) => de),
  ar: () => import("./texts/ar").then(({ ar }) => ar),
});
