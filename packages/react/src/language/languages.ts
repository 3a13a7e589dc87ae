import { lookup } from "../texts/lookup";

/** A BCP 47 tag of the languages that Musette's applications speak; the console speaks fewer. */
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

/** A language that a person can choose. */
export interface Language {
  readonly tag: LanguageTag;
  /** Its name in the language itself: those who look for it read that. */
  readonly name: string;
  /** The writing direction, as the `dir` attribute of HTML has it. */
  readonly dir: "ltr" | "rtl";
}

/** English, the language that every application falls back to. */
export const english: Language = { tag: "en", name: "English", dir: "ltr" };

/** The languages in the order in which a switch lists them. */
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
 * Finds the first wanted language that there is (RFC 4647 lookup).
 *
 * @param wanted - Language ranges by preference, such as `navigator.languages`.
 * @param offered - The languages of the application.
 * @returns English when there is none.
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
