import { en } from "./generated/en";
import { lookup } from "./lookup";
import type { TextOverrides, Texts, TextsAtHand } from "./texts";

type Load = () => Promise<TextsAtHand>;

const words = ({ texts }: { readonly texts: TextsAtHand }) => texts;

const languages = new Map<string, TextsAtHand | Load>([
  ["en", en],
  ["de", () => import("./generated/de").then(words)],
  ["es", () => import("./generated/es").then(words)],
  ["fr", () => import("./generated/fr").then(words)],
  ["it", () => import("./generated/it").then(words)],
  ["pt", () => import("./generated/pt").then(words)],
  ["pl", () => import("./generated/pl").then(words)],
  ["tr", () => import("./generated/tr").then(words)],
  ["ar", () => import("./generated/ar").then(words)],
  ["th", () => import("./generated/th").then(words)],
  ["bn", () => import("./generated/bn").then(words)],
  ["ur", () => import("./generated/ur").then(words)],
]);

const bestTag = (locale: string) => lookup(locale, languages.keys()) ?? "en";

/** Adds a language, or takes the place of one. */
export function addLanguage(tag: string, language: TextsAtHand | Load): void {
  languages.set(tag, language);
}

/** What is there without waiting: undefined while the language still has to be fetched. */
export function textsAtHand(locale: string): TextsAtHand | undefined {
  const language = languages.get(bestTag(locale));
  return typeof language === "function" ? undefined : language;
}

/** The best language for a locale. One that cannot be fetched is English: words beat an error. */
export async function fetchTexts(locale: string): Promise<TextsAtHand> {
  const tag = bestTag(locale);
  const language = languages.get(tag);
  try {
    const texts = typeof language === "function" ? await language() : (language ?? en);
    languages.set(tag, texts);
    return texts;
  } catch {
    return en;
  }
}

/** All words of a language: those too that are needed only when something is opened. */
export async function loadTexts(locale: string): Promise<Texts> {
  const [{ complete }, texts] = await Promise.all([import("./complete"), fetchTexts(locale)]);
  return complete(texts);
}

/** Replaces single texts of a language. */
export function withOverrides<T extends TextsAtHand>(
  texts: T,
  overrides: TextOverrides | undefined,
): T {
  return {
    ...texts,
    ...overrides,
    consent: { ...texts.consent, ...overrides?.consent },
    viewer: { ...texts.viewer, ...overrides?.viewer },
    markets: { ...texts.markets, ...overrides?.markets },
    ui: { ...texts.ui, ...overrides?.ui },
  };
}
