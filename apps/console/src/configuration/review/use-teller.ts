import { useMemo } from "react";
import { useLanguage } from "../../language/language-context";
import { createDescriber, type Describer } from "./teller";
import { useReviewTexts } from "./texts/texts";

export function useDescriber(): Describer {
  const words = useReviewTexts();
  const { tag } = useLanguage().language;
  return useMemo(() => createDescriber(words, tag), [words, tag]);
}
