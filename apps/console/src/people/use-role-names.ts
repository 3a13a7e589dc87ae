import { useLanguage } from "../language/language-context";
import { usePeopleTexts } from "./texts/texts";

/** Returns the name of each role. */
export function useRoleNames() {
  const peopleTexts = usePeopleTexts();
  const { texts } = useLanguage();
  return { ...peopleTexts.roles, ...texts.roles };
}
