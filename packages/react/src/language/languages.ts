import { lookup } from "../texts/lookup";

/** A BCP 47 tag of the languages that Musette's applications speak. */
export type LanguageTag = "en" | "de" | "ar";

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
  { tag: "ar", name: "العربية", dir: "rtl" },
];

/**
 * Finds the first wanted language that there is (RFC 4647 lookup).
 *
 * @param wanted - Language ranges by preference, such as `navigator.languages`.
 * @returns English when there is none.
 */
export function chooseLanguage(wanted: readonly string[]): Language {
  const tags = languages.map(({ tag }) => tag);
  for (const range of wanted) {
    const tag = lookup(range, tags);
    const language = languages.find((candidate) => candidate.tag === tag);
    if (language) return language;
  }
  return english;
}
