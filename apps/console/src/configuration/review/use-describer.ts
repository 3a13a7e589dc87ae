import { useMemo } from "react";
import { useLanguage } from "../../language/language-context";
import { createDescriber, type Describer } from "./describer";
import { useReviewTexts } from "./texts/texts";

export function useDescriber(): Describer {
  const texts = useReviewTexts();
  const { tag } = useLanguage().language;
  return useMemo(() => createDescriber(texts, tag), [texts, tag]);
}
