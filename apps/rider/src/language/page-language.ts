import type { LanguageChoice } from "@musette/react/language";
import { useMemo } from "react";
import { enPages } from "../texts/generated/en-pages";
import type { FirstTexts, RiderTexts } from "../texts/texts";
import { useLanguage } from "./language";

/** The words that a language lacks are English; of English itself the first screen loads only its own. */
export function completeTexts(texts: FirstTexts): RiderTexts {
  return {
    ...enPages,
    ...texts,
    agreements: { ...enPages.agreements, ...texts.agreements },
    applied: { ...enPages.applied, ...texts.applied },
    devices: { ...enPages.devices, ...texts.devices },
    ended: { ...enPages.ended, ...texts.ended },
    offline: { ...enPages.offline, ...texts.offline },
    signIn: { ...enPages.signIn, ...texts.signIn },
    status: { ...enPages.status, ...texts.status },
  };
}

/** `useLanguage` with all words, for pages that are loaded later than the first screen. */
export function usePageLanguage(): LanguageChoice<RiderTexts> {
  const choice = useLanguage();
  return useMemo(() => ({ ...choice, texts: completeTexts(choice.texts) }), [choice]);
}
