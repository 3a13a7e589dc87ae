import { loadTexts } from "@musette/react/texts";
import { createContext, type ReactNode, use, useState } from "react";
import { readStored, writeStored } from "../storage/storage";
import { en } from "../texts/en";
import type { RiderTexts } from "../texts/texts";
import { chooseLanguage, english, type Language } from "./languages";

const REMEMBERED = "musette.language";

export interface ReadyLanguage {
  readonly language: Language;
  readonly texts: RiderTexts;
}

interface LanguageChoice extends ReadyLanguage {
  readonly choose: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

export function firstLanguage(): Language {
  const remembered = readStored(localStorage, REMEMBERED);
  return chooseLanguage([...(remembered ? [remembered] : []), ...navigator.languages]);
}

/** Fetches all words of a language before it is shown, so that no screen is half in another one. */
export async function prepareLanguage(language: Language): Promise<ReadyLanguage> {
  try {
    const [texts] = await Promise.all([language.load(), loadTexts(language.tag)]);
    return { language, texts };
  } catch {
    // Offline before the language was ever loaded: English is part of the app.
    return { language: english, texts: en };
  }
}

export function applyToDocument({ tag, dir }: Language): void {
  document.documentElement.lang = tag;
  document.documentElement.dir = dir;
}

export function LanguageProvider(props: {
  readonly first: ReadyLanguage;
  readonly children: ReactNode;
}) {
  const [ready, setReady] = useState(props.first);

  async function choose(language: Language): Promise<void> {
    writeStored(localStorage, REMEMBERED, language.tag);
    const next = await prepareLanguage(language);
    applyToDocument(next.language);
    setReady(next);
  }

  return <LanguageContext value={{ ...ready, choose }}>{props.children}</LanguageContext>;
}

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (!choice) throw new Error("useLanguage is called outside of LanguageProvider");
  return choice;
}
