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

/** The return value of `useLanguage`. */
export interface LanguageChoice<Texts> extends ReadyLanguage<Texts> {
  /** Loads and shows a language, and stores the choice on this device. Never rejects. */
  readonly choose: (language: Language) => Promise<void>;
}

/** Props of the `LanguageProvider`. */
export interface LanguageProviderProps<Texts> {
  /** The language of the first render. */
  readonly first: ReadyLanguage<Texts>;
  readonly children: ReactNode;
}

/** The return value of `createLanguage`. */
export interface LanguageModule<Texts> {
  /** The languages of the application, in the order of a language switch. */
  readonly offered: readonly Language[];
  /** Returns the language stored on this device, or the first language of the browser that is offered. */
  readonly firstLanguage: () => Language;
  /** Loads all texts of a language. Resolves to English if that fails. */
  readonly prepareLanguage: (language: Language) => Promise<ReadyLanguage<Texts>>;
  /** Provides the language and its texts to the components inside. */
  readonly LanguageProvider: (props: LanguageProviderProps<Texts>) => ReactNode;
  /**
   * Returns the current language and its texts.
   *
   * @throws Error outside of a `LanguageProvider`.
   */
  readonly useLanguage: () => LanguageChoice<Texts>;
  /** A switch for the languages in `offered`. Must be inside a `LanguageProvider`. */
  readonly LanguageSwitch: (props: LanguageSwitchProps) => ReactNode;
}

/** Sets `lang` and `dir` of the page. */
export function applyToDocument({ tag, dir }: Language): void {
  document.documentElement.lang = tag;
  document.documentElement.dir = dir;
}

/**
 * Creates a provider and a hook for the texts of an application.
 *
 * @param fallback - The English texts. Bundle them: they are shown if a language cannot be loaded.
 * @param loaders - One function per language that loads its texts. It may reject while offline.
 *
 * @example
 * const { LanguageProvider, useLanguage } = createLanguage(en, {
 *   en: async () => en,
 *   de: async () => (await fetch("/texts/de.json")).json(),
 * });
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
      // The device is offline, so English is shown.
    }
    return { language: english, texts: fallback };
  }

  function LanguageProvider({ first, children }: LanguageProviderProps<Texts>) {
    const [ready, setReady] = useState(first);
    const choice = useMemo(() => {
      async function choose(language: Language): Promise<void> {
        storeChoice(language.tag);
        const next = await prepareLanguage(language);
        // As a transition, so that a page that loads its own texts stays visible until they have loaded.
        startTransition(() => setReady(next));
        applyToDocument(next.language);
      }
      return { ...ready, choose };
    }, [ready]);
    return <Context.Provider value={choice}>{children}</Context.Provider>;
  }

  function useLanguage(): LanguageChoice<Texts> {
    const choice = useContext(Context);
    if (!choice) throw new Error("useLanguage must be called inside a <LanguageProvider>");
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
