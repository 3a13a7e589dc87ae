import { useMoment } from "../language/use-moment";
import { daysLeft } from "./model";
import { useEvaluationsTexts } from "./texts/texts";

/** From this many days on, an answer is not urgent. */
const URGENT_DAYS = 4;

/** When the answer is due, in days. */
export function DueChip({ due }: { readonly due: string }) {
  const texts = useEvaluationsTexts();
  const moment = useMoment();
  const days = daysLeft(due, new Date());
  const tone = days < 0 ? "bad" : days < URGENT_DAYS ? "warning" : undefined;
  return (
    <time dateTime={due} title={moment(due)} className="chip" data-tone={tone}>
      {days < 0 ? texts.overdueBy(-days) : days === 0 ? texts.dueToday : texts.daysLeft(days)}
    </time>
  );
}
