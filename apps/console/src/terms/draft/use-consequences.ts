import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { useTermsTexts } from "../texts/texts";
import type { DraftBody } from "./draft";
import type { DraftCheck } from "./draft-calls";

/** In words: who is asked when it is published, and what becomes of whoever does not agree. */
export function useConsequences(check: DraftCheck, body: DraftBody) {
  const words = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const say = body.replaces === undefined ? words.askedFirst : words.asked;
  const written = (count: number) => count.toLocaleString(tag);
  const asked = body.minor
    ? words.askedNobody(check.agreements, written(check.agreements))
    : say(check.riders_asked, written(check.riders_asked));
  if (body.minor) return { asked, after: undefined };
  if (!body.mandatory) return { asked, after: words.askedOptional };
  const from = body.grace_until ?? body.effective_from;
  const isLater = from !== undefined && new Date(from).getTime() > Date.now();
  return { asked, after: isLater ? words.blocksFrom(minute(from)) : words.blocksAtOnce };
}
