import { useEffect, useState } from "react";
import { lookup } from "../../texts/lookup";
import type { OverlayTexts } from "./texts";
import { en } from "./texts/generated/en";

const words = ({ texts }: { readonly texts: OverlayTexts }) => texts;

const languages: Readonly<Record<string, () => Promise<OverlayTexts>>> = {
  en: async () => en,
  de: () => import("./texts/generated/de").then(words),
  es: () => import("./texts/generated/es").then(words),
  fr: () => import("./texts/generated/fr").then(words),
  it: () => import("./texts/generated/it").then(words),
  pt: () => import("./texts/generated/pt").then(words),
  pl: () => import("./texts/generated/pl").then(words),
  tr: () => import("./texts/generated/tr").then(words),
  ar: () => import("./texts/generated/ar").then(words),
  th: () => import("./texts/generated/th").then(words),
  bn: () => import("./texts/generated/bn").then(words),
  ur: () => import("./texts/generated/ur").then(words),
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
