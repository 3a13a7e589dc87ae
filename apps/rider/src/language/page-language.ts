import type { LanguageChoice } from "@musette/react/language";
import { useMemo } from "react";
import { enPages } from "../texts/generated/en-pages";
import type { FirstTexts, RiderTexts } from "../texts/texts";
import { useLanguage } from "./language";

/** Fills missing texts with English ones. The first screen loads only its own English texts. */
export function completeTexts(texts: FirstTexts): RiderTexts {
  return {
    ...enPages,
    ...texts,
    agreements: { ...enPages.agreements, ...texts.agreements },
    applied: { ...enPages.applied, ...texts.applied },
    devices: { ...enPages.devices, ...texts.devices },
    ended: { ...enPages.ended, ...texts.ended },
    notices: { ...enPages.notices, ...texts.notices },
    offline: { ...enPages.offline, ...texts.offline },
    signIn: { ...enPages.signIn, ...texts.signIn },
    status: { ...enPages.status, ...texts.status },
    systems: { ...enPages.systems, ...texts.systems },
    restriction: { ...enPages.restriction, ...texts.restriction },
    work: { ...enPages.work, ...texts.work },
  };
}

/** `useLanguage` with all texts, for pages that load after the first screen. */
export function usePageLanguage(): LanguageChoice<RiderTexts> {
  const choice = useLanguage();
  return useMemo(() => ({ ...choice, texts: completeTexts(choice.texts) }), [choice]);
}
