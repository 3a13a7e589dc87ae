import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { useTermsTexts } from "../texts/texts";
import { blocksLaterFrom } from "./blocked-now";
import type { DraftBody } from "./draft";
import type { DraftCheck } from "./draft-calls";

/** Returns texts that say who must agree after publishing, and what happens to riders who do not. */
export function useConsequences(check: DraftCheck, body: DraftBody) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const written = (count: number) => count.toLocaleString(tag);
  const { riders_asked, riders_asked_again: again } = check;
  const isAll = again > 0 && again === riders_asked;
  const say = isAll ? draftTexts.asked : again > 0 ? draftTexts.askedSome : draftTexts.askedFirst;
  const audience = body.minor
    ? draftTexts.askedNobody(check.agreements, written(check.agreements))
    : say(riders_asked, written(riders_asked), written(again));
  if (body.kind === "notice") return { audience: draftTexts.noticeServed, after: undefined };
  if (body.minor) return { audience, after: undefined };
  if (!body.mandatory) return { audience, after: draftTexts.askedOptional };
  const from = blocksLaterFrom(body);
  return { audience, after: from ? draftTexts.blocksFrom(minute(from)) : draftTexts.blocksNow };
}
