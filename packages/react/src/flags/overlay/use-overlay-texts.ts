import { useEffect, useState } from "react";
import { lookup } from "../../texts/lookup";
import type { OverlayTexts } from "./texts";
import { en } from "./texts/generated/en";

const textsOf = ({ texts }: { readonly texts: OverlayTexts }) => texts;

const languages: Readonly<Record<string, () => Promise<OverlayTexts>>> = {
  en: async () => en,
  de: () => import("./texts/generated/de").then(textsOf),
  es: () => import("./texts/generated/es").then(textsOf),
  fr: () => import("./texts/generated/fr").then(textsOf),
  it: () => import("./texts/generated/it").then(textsOf),
  pt: () => import("./texts/generated/pt").then(textsOf),
  pl: () => import("./texts/generated/pl").then(textsOf),
  tr: () => import("./texts/generated/tr").then(textsOf),
  ar: () => import("./texts/generated/ar").then(textsOf),
  th: () => import("./texts/generated/th").then(textsOf),
  bn: () => import("./texts/generated/bn").then(textsOf),
  ur: () => import("./texts/generated/ur").then(textsOf),
};

/** Returns the texts of a language; undefined while they load. */
export function useOverlayTexts(locale = document.documentElement.lang): OverlayTexts | undefined {
  const tag = lookup(locale, Object.keys(languages)) ?? "en";
  const [texts, setTexts] = useState<OverlayTexts>();
  useEffect(() => {
    let isMounted = true;
    const setIfMounted = (loaded: OverlayTexts) => isMounted && setTexts(loaded);
    languages[tag]?.().then(setIfMounted, () => setIfMounted(en));
    return () => {
      isMounted = false;
    };
  }, [tag]);
  return texts;
}
