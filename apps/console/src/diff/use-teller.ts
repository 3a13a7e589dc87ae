import { useMemo } from "react";
import { useLanguage } from "../language/language-context";
import { makeTeller, type Teller } from "./teller";
import { useDiffTexts } from "./texts/texts";

export function useTeller(): Teller {
  const words = useDiffTexts();
  const { tag } = useLanguage().language;
  return useMemo(() => makeTeller(words, tag), [words, tag]);
}
