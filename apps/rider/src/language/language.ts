import { createLanguage } from "@musette/react/language";
import { loadTexts } from "@musette/react/texts";
import { en } from "../texts/generated/en";
import type { FirstTexts, RiderTexts } from "../texts/texts";

interface Module {
  readonly texts: RiderTexts;
}

/**
 * Loads the texts of the consent screen and the viewer as well, so that no screen mixes two
 * languages.
 */
const withPackages = (tag: string, load: () => Promise<Module>) => async () => {
  const [{ texts }] = await Promise.all([load(), loadTexts(tag)]);
  return texts;
};

export const {
  offered,
  firstLanguage,
  prepareLanguage,
  LanguageProvider,
  useLanguage,
  LanguageSwitch,
} = createLanguage<FirstTexts>(en, {
  // The English texts of the first screen are in this chunk: the first screen fetches nothing.
  en: async () => en,
  de: withPackages("de", () => import("../texts/generated/de")),
  es: withPackages("es", () => import("../texts/generated/es")),
  fr: withPackages("fr", () => import("../texts/generated/fr")),
  it: withPackages("it", () => import("../texts/generated/it")),
  pt: withPackages("pt", () => import("../texts/generated/pt")),
  pl: withPackages("pl", () => import("../texts/generated/pl")),
  tr: withPackages("tr", () => import("../texts/generated/tr")),
  ar: withPackages("ar", () => import("../texts/generated/ar")),
  th: withPackages("th", () => import("../texts/generated/th")),
  bn: withPackages("bn", () => import("../texts/generated/bn")),
  ur: withPackages("ur", () => import("../texts/generated/ur")),
});
