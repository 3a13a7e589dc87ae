import { en } from "./en";
import { lookup } from "./lookup";
import type { TextOverrides, Texts } from "./texts";

type Load = () => Promise<Texts>;

/** English is always there, as what is shown when nothing else can be; the others are fetched. */
const languages = new Map<string, Texts | Load>([
  ["en", en],
  ["de", () => import("./de").then((language) => language.de)],
  ["ar", () => import("./ar").then((language) => language.ar)],
]);

/** Adds a language, or takes the place of one. */
export function addLanguage(tag: string, language: Texts | Load): void {
  languages.set(tag, language);
}

/** What is there without waiting: undefined while the language still has to be fetched. */
export function textsAtHand(locale: string): Texts | undefined {
  const language = languages.get(lookup(locale, languages.keys()) ?? "en");
  return typeof language === "function" ? undefined : language;
}

/** The best language for a locale. One that cannot be fetched is English: words beat an error. */
export async function loadTexts(locale: string): Promise<Texts> {
  const tag = lookup(locale, languages.keys()) ?? "en";
  const language = languages.get(tag) ?? en;
  if (typeof language !== "function") return language;
  try {
    const loaded = await language();
    languages.set(tag, loaded);
    return loaded;
  } catch {
    return en;
  }
}

export function withOverrides(texts: Texts, overrides: TextOverrides | undefined): Texts {
  if (!overrides) return texts;
  return {
    lang: overrides.lang ?? texts.lang,
    dir: overrides.dir ?? texts.dir,
    consent: { ...texts.consent, ...overrides.consent },
    viewer: { ...texts.viewer, ...overrides.viewer },
    ui: { ...texts.ui, ...overrides.ui },
  };
}
