import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useMemo,
  useState,
} from "react";
import { LanguageSelect, type LanguageSwitchProps } from "./language-switch";
import { chooseLanguage, english, type Language, type LanguageTag, languages } from "./languages";
import { storeChoice, storedChoice } from "./stored-choice";

/** A language whose texts have been loaded. */
export interface ReadyLanguage<Texts> {
  readonly language: Language;
  readonly texts: Texts;
}

/** What `useLanguage` returns. */
export interface LanguageChoice<Texts> extends ReadyLanguage<Texts> {
  /** Loads a language, shows it, and remembers it on this device. Never rejects. */
  readonly choose: (language: Language) => Promise<void>;
}

/** Props of the `LanguageProvider`. */
export interface LanguageProviderProps<Texts> {
  /** The language of the first render. */
  readonly first: ReadyLanguage<Texts>;
  readonly children: ReactNode;
}

/** What `createLanguage` returns. */
export interface LanguageModule<Texts> {
  /** The languages that the application speaks, in the order in which a switch lists them. */
  readonly offered: readonly Language[];
  /** The language remembered on this device, else the first of the browser's that is offered. */
  readonly firstLanguage: () => Language;
  /** Loads all texts of a language before it is shown; English when that fails. */
  readonly prepareLanguage: (language: Language) => Promise<ReadyLanguage<Texts>>;
  /** Provides language and texts to the components below. */
  readonly LanguageProvider: (props: LanguageProviderProps<Texts>) => ReactNode;
  /**
   * Reads language and texts.
   *
   * @throws Error outside of a `LanguageProvider`.
   */
  readonly useLanguage: () => LanguageChoice<Texts>;
  /** Lets a person choose one of the languages `offered`, below a `LanguageProvider`. */
  readonly LanguageSwitch: (props: LanguageSwitchProps) => ReactNode;
}

/** Sets `lang` and `dir` of the page. */
export function applyToDocument({ tag, dir }: Language): void {
  document.documentElement.lang = tag;
  document.documentElement.dir = dir;
}

/**
 * Makes provider and hook for the texts of an application.
 *
 * @param fallback - The English texts, part of the application: shown when a language cannot be loaded.
 * @param loaders - Load the texts of a language, for each that is offered. They may reject while offline.
 */
export function createLanguage<Texts>(
  fallback: Texts,
  loaders: Readonly<Partial<Record<LanguageTag, () => Promise<Texts>>>>,
): LanguageModule<Texts> {
  const offered = languages.filter(({ tag }) => loaders[tag]);
  const Context = createContext<LanguageChoice<Texts> | undefined>(undefined);

  function firstLanguage(): Language {
    const stored = storedChoice();
    return chooseLanguage([...(stored ? [stored] : []), ...navigator.languages], offered);
  }

  async function prepareLanguage(language: Language): Promise<ReadyLanguage<Texts>> {
    try {
      const texts = await loaders[language.tag]?.();
      if (texts) return { language, texts };
    } catch {
      // Offline: English is there.
    }
    return { language: english, texts: fallback };
  }

  function LanguageProvider({ first, children }: LanguageProviderProps<Texts>) {
    const [ready, setReady] = useState(first);
    const choice = useMemo(() => {
      async function choose(language: Language): Promise<void> {
        storeChoice(language.tag);
        const next = await prepareLanguage(language);
        // A page that loads texts of its own stays as it is until they are there.
        startTransition(() => setReady(next));
        applyToDocument(next.language);
      }
      return { ...ready, choose };
    }, [ready]);
    return <Context.Provider value={choice}>{children}</Context.Provider>;
  }

  function useLanguage(): LanguageChoice<Texts> {
    const choice = useContext(Context);
    if (!choice) throw new Error("useLanguage is called outside of LanguageProvider");
    return choice;
  }

  function LanguageSwitch(props: LanguageSwitchProps) {
    const { language, choose } = useLanguage();
    return <LanguageSelect {...props} offered={offered} language={language} choose={choose} />;
  }

  return {
    offered,
    firstLanguage,
    prepareLanguage,
    LanguageProvider,
    useLanguage,
    LanguageSwitch,
  };
}
