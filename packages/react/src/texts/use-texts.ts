import { useEffect, useState } from "react";
import { fetchTexts, loadTexts, textsAtHand, withOverrides } from "./languages";
import type { TextOverrides, Texts, TextsAtHand } from "./texts";

/** The language that the page says it is in; undefined where it says none, or on a server. */
export function pageLanguage(): string | undefined {
  return globalThis.document?.documentElement.lang || undefined;
}

function useFetched<T>(
  locale: string,
  atHand: T | undefined,
  fetch: (locale: string) => Promise<T>,
) {
  const [fetched, setFetched] = useState<{ readonly locale: string; readonly texts: T }>();
  const missing = !atHand;
  useEffect(() => {
    if (!missing) return;
    let current = true;
    fetch(locale).then((texts) => current && setFetched({ locale, texts }));
    return () => {
      current = false;
    };
  }, [locale, missing, fetch]);
  return atHand ?? (fetched?.locale === locale ? fetched.texts : undefined);
}

/** Undefined while the language is on its way, so that nobody sees the wrong one flash by. */
export function useTextsAtHand(
  locale = "",
  overrides?: TextOverrides | undefined,
): TextsAtHand | undefined {
  const texts = useFetched(locale, textsAtHand(locale), fetchTexts);
  return texts && withOverrides(texts, overrides);
}

/** All words of a language, those of the viewer and of the kit too. */
export function useTexts(locale = "", overrides?: TextOverrides | undefined): Texts | undefined {
  const texts = useFetched<Texts>(locale, undefined, loadTexts);
  return texts && withOverrides(texts, overrides);
}
