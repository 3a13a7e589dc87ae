import { createContext, type ReactNode, startTransition, use, useMemo, useState } from "react";
import { readStored, writeStored } from "../storage/storage";
import { chooseLanguage, english, type Language } from "./languages";
import { en } from "./texts/en";
import type { ConsoleTexts } from "./texts/texts";

// The rider app's too: whoever reads one of them in Arabic reads both so.
const REMEMBERED = "musette.language";

export interface ReadyLanguage {
  readonly language: Language;
  readonly texts: ConsoleTexts;
}

interface LanguageChoice extends ReadyLanguage {
  readonly choose: (language: Language) => Promise<void>;
}

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

export function firstLanguage(): Language {
  const remembered = readStored(REMEMBERED);
  return chooseLanguage([...(remembered ? [remembered] : []), ...navigator.languages]);
}

/** Fetches all words of a language before it is shown, so that no screen is half in another one. */
export async function prepareLanguage(language: Language): Promise<ReadyLanguage> {
  try {
    return { language, texts: await language.load() };
  } catch {
    // Offline before the language was ever loaded: English is part of the console.
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
  const choice = useMemo(() => {
    async function choose(language: Language): Promise<void> {
      writeStored(REMEMBERED, language.tag);
      const next = await prepareLanguage(language);
      // What is on the screen stays until the words of its page are there too.
      startTransition(() => setReady(next));
      applyToDocument(next.language);
    }
    return { ...ready, choose };
  }, [ready]);
  return <LanguageContext value={choice}>{props.children}</LanguageContext>;
}

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (!choice) throw new Error("useLanguage is called outside of LanguageProvider");
  return choice;
}
