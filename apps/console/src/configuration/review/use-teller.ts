import { useMemo } from "react";
import { useLanguage } from "../../language/language-context";
import { makeTeller, type Teller } from "./teller";
import { useReviewTexts } from "./texts/texts";

export function useTeller(): Teller {
  const words = useReviewTexts();
  const { tag } = useLanguage().language;
  return useMemo(() => makeTeller(words, tag), [words, tag]);
}
