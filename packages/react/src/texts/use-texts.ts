import { useEffect, useState } from "react";
import { loadTexts, textsAtHand, withOverrides } from "./languages";
import type { TextOverrides, Texts } from "./texts";

/** The language that the page says it is in; undefined where it says none, or on a server. */
export function pageLanguage(): string | undefined {
  return globalThis.document?.documentElement.lang || undefined;
}

/** Undefined while the language is on its way, so that nobody sees the wrong one flash by. */
export function useTexts(
  locale: string | undefined,
  overrides: TextOverrides | undefined,
): Texts | undefined {
  const wanted = locale ?? "";
  const [loaded, setLoaded] = useState<{ readonly locale: string; readonly texts: Texts }>();
  const texts = loaded?.locale === wanted ? loaded.texts : textsAtHand(wanted);
  const missing = texts === undefined;

  useEffect(() => {
    if (!missing) return;
    let current = true;
    loadTexts(wanted).then((texts) => current && setLoaded({ locale: wanted, texts }));
    return () => {
      current = false;
    };
  }, [wanted, missing]);

  return texts && withOverrides(texts, overrides);
}
