export {
  applyToDocument,
  createLanguage,
  type LanguageChoice,
  type LanguageModule,
  type LanguageProviderProps,
  type ReadyLanguage,
} from "./create-language";
export type { LanguageSwitchProps } from "./language-switch";
export { chooseLanguage, english, type Language, type LanguageTag, languages } from "./languages";
export { regional } from "./regional";
