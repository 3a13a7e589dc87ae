import { lookup } from "../texts/lookup";

/** The BCP 47 tag of a language of Musette's applications. The console has fewer languages. */
export type LanguageTag =
  | "en"
  | "de"
  | "es"
  | "fr"
  | "it"
  | "pt"
  | "pl"
  | "tr"
  | "ar"
  | "th"
  | "bn"
  | "ur";

/** A language that a user can choose. */
export interface Language {
  /** The BCP 47 tag. */
  readonly tag: LanguageTag;
  /** The native name, because its speakers look for that name. */
  readonly name: string;
  /** The writing direction for the HTML attribute `dir`. */
  readonly dir: "ltr" | "rtl";
}

/** English, the language that every application falls back to. */
export const english: Language = { tag: "en", name: "English", dir: "ltr" };

/** All languages in the order of a language switch. */
export const languages: readonly Language[] = [
  english,
  { tag: "de", name: "Deutsch", dir: "ltr" },
  { tag: "es", name: "Español", dir: "ltr" },
  { tag: "fr", name: "Français", dir: "ltr" },
  { tag: "it", name: "Italiano", dir: "ltr" },
  { tag: "pt", name: "Português (Brasil)", dir: "ltr" },
  { tag: "pl", name: "Polski", dir: "ltr" },
  { tag: "tr", name: "Türkçe", dir: "ltr" },
  { tag: "ar", name: "العربية", dir: "rtl" },
  { tag: "th", name: "ไทย", dir: "ltr" },
  { tag: "bn", name: "বাংলা", dir: "ltr" },
  { tag: "ur", name: "اردو", dir: "rtl" },
];

/**
 * Returns the first wanted language that is offered (RFC 4647 lookup).
 *
 * @param wanted - Language ranges by preference, such as `navigator.languages`.
 * @param offered - The languages of the application.
 * @returns English if no wanted language is offered.
 */
export function chooseLanguage(
  wanted: readonly string[],
  offered: readonly Language[] = languages,
): Language {
  const tags = offered.map(({ tag }) => tag);
  for (const range of wanted) {
    const tag = lookup(range, tags);
    const language = offered.find((candidate) => candidate.tag === tag);
    if (language) return language;
  }
  return english;
}
