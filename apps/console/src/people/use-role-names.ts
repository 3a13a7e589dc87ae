import { useLanguage } from "../language/language-context";
import { usePeopleTexts } from "./texts/texts";

/** What each role is called. */
export function useRoleNames() {
  const words = usePeopleTexts();
  const { texts } = useLanguage();
  return { ...words.roles, ...texts.roles };
}
