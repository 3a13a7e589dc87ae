import { lookup } from "@musette/react/texts";
import { en } from "./texts/en";
import type { ConsoleTexts } from "./texts/texts";

export interface Language {
  readonly tag: string;
  /** Its own name, since it is looked for by those who read it. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
  readonly load: () => Promise<ConsoleTexts>;
}

export const english: Language = { tag: "en", name: "English", dir: "ltr", load: async () => en };

export const languages: readonly Language[] = [
  english,
  {
    tag: "de",
    name: "Deutsch",
    dir: "ltr",
    load: () => import("./texts/de").then((module) => module.de),
  },
  {
    tag: "ar",
    name: "العربية",
    dir: "rtl",
    load: () => import("./texts/ar").then((module) => module.ar),
  },
];

/** The first of the wanted languages that there is: a remembered choice first, then the browser's. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const tags = languages.map((language) => language.tag);
  for (const range of wanted) {
    const tag = lookup(range, tags);
    const language = languages.find((candidate) => candidate.tag === tag);
    if (language) return language;
  }
  return english;
}
