import { hasDraft, mayBePending } from "@musette/client/terms";
import type { RiderTexts } from "../texts/texts";

/** Says what an ended session leaves behind. Ticks and waiting decisions are not recorded yet. */
export function endedText({ ended }: RiderTexts): string {
  const { text, ticks, waiting } = ended;
  // A decision without an answer also leaves its ticks in this tab.
  const unrecorded = mayBePending() ? waiting : hasDraft() ? ticks : "";
  return `${text} ${unrecorded}`.trim();
}
