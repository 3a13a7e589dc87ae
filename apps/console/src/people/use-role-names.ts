import { useLanguage } from "../language/language-context";
import { usePeopleTexts } from "./texts/texts";

/** Returns the name of each role. */
export function useRoleNames() {
  const words = usePeopleTexts();
  const { texts } = useLanguage();
  return { ...words.roles, ...texts.roles };
}
