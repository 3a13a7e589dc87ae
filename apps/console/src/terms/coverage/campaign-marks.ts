import { useInfiniteQuery } from "@tanstack/react-query";
import { pagesQuery } from "../../api/pages";
import type { Wire } from "../../api/wire";
import type { Mark } from "../../chart/days";
import { dayOf } from "../../language/days";
import { useCoverageTexts } from "./texts/texts";

type Campaign = Wire<"CampaignBody">;
type Channel = Campaign["steps"][number]["channel"];

interface SentStep {
  readonly day: string;
  readonly channel: Channel;
}

/** Returns the steps of a campaign that were due by now, each on the day on which it was sent. */
export function stepsSent(
  { started_at: start, ended_at: end, steps }: Pick<Campaign, "started_at" | "ended_at" | "steps">,
  now: string,
): readonly SentStep[] {
  if (start === null) return [];
  const last = Date.parse(end ?? now);
  return steps.flatMap(({ due_at: due, channel }) => {
    if (due === null || Date.parse(due) > last) return [];
    // A step whose time had passed was sent at the start.
    const at = Math.max(Date.parse(due), Date.parse(start));
    return [{ day: dayOf(new Date(at)), channel }];
  });
}

/** The steps of campaigns about a version, for its chart. Of many campaigns, the newest. */
export function useCampaignMarks(term: number): readonly Mark[] {
  const texts = useCoverageTexts();
  const { data } = useInfiniteQuery(pagesQuery("/api/admin/v1/campaigns", {}));
  const campaigns = data?.pages.flatMap(({ items }) => items) ?? [];
  const now = new Date().toISOString();
  return campaigns
    .filter(({ term_id: id }) => id === term)
    .flatMap((campaign) => stepsSent(campaign, now))
    .map(({ day, channel }) => ({ day, label: texts.campaignStep[channel] }));
}
