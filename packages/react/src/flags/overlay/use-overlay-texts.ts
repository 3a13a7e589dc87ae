import { useEffect, useState } from "react";
import { lookup } from "../../texts/lookup";
import type { OverlayTexts } from "./texts";
import { en } from "./texts/en";

const languages: Readonly<Record<string, () => Promise<OverlayTexts>>> = {
  en: async () => en,
  de: () => import("./texts/de").then(({ de }) => de),
  ar: () => import("./texts/ar").then(({ ar }) => ar),
};

/** Undefined while the language is on its way. */
export function useOverlayTexts(locale = document.documentElement.lang): OverlayTexts | undefined {
  const tag = lookup(locale, Object.keys(languages)) ?? "en";
  const [texts, setTexts] = useState<OverlayTexts>();
  useEffect(() => {
    let current = true;
    const use = (fetched: OverlayTexts) => current && setTexts(fetched);
    languages[tag]?.().then(use, () => use(en));
    return () => {
      current = false;
    };
  }, [tag]);
  return texts;
}
