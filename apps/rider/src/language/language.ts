import { createLanguage } from "@musette/react/language";
import { loadTexts } from "@musette/react/texts";
import { en } from "../texts/en";
import type { RiderTexts } from "../texts/texts";

/** Loads the texts of the consent screen and the viewer too, so that no screen mixes two languages. */
async function withPackages(tag: string, own: Promise<RiderTexts>): Promise<RiderTexts> {
  const [texts] = await Promise.all([own, loadTexts(tag)]);
  return texts;
}

export const { prepareLanguage, LanguageProvider, useLanguage } = createLanguage<RiderTexts>(en, {
  en: () => withPackages("en", Promise.resolve(en)),
  de: () =>
    withPackages(
      "de",
      import("../texts/de").then(({ de }) => de),
    ),
  ar: () =>
    withPackages(
      "ar",
      import("../texts/ar").then(({ ar }) => ar),
    ),
});
