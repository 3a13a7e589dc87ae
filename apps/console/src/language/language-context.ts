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
  fr: () => import("./texts/fr").then(({ fr }) => fr),
  es: () => import("./texts/es").then(({ es }) => es),
  pt: () => import("./texts/pt").then(({ pt }) => pt),
  ar: () => import("./texts/ar").then(({ ar }) => ar),
});
