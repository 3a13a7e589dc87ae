import type { Campaign, CampaignInput, Channel, StepTime } from "../campaigns-queries";
import { type Period, periodOf, periodText } from "../period";

/** What the time of a step refers to. */
export const ANCHORS = ["start", "effective_from", "grace_until", "instant"] as const;
export type Anchor = (typeof ANCHORS)[number];

export interface StepForm extends Period {
  readonly anchor: Anchor;
  /** Only for the anchor `instant`. */
  readonly instant: string;
  readonly channel: Channel;
}

export interface TextForm {
  readonly subject: string;
  readonly body: string;
}

/** The fields of the form, as they are typed. */
export interface CampaignForm {
  /** The ID of the version; empty if none is chosen. */
  readonly term: string;
  readonly market: string;
  readonly steps: readonly StepForm[];
  readonly texts: Readonly<Record<string, TextForm>>;
  readonly anyTime: boolean;
}

export const FIRST_STEP: StepForm = {
  anchor: "start",
  amount: "0",
  unit: "D",
  instant: "",
  channel: "email",
};

const FOLLOWING_DAYS = 7;

export const emptyForm = (term: number | undefined, market: string | undefined): CampaignForm => ({
  term: term === undefined ? "" : String(term),
  market: market ?? "",
  steps: [FIRST_STEP],
  texts: {},
  anyTime: false,
});

/** Returns the step after the last one: a week later, by the same channel. */
export function nextStep(steps: readonly StepForm[]): StepForm {
  const last = steps.at(-1);
  if (!last) return FIRST_STEP;
  const days = last.anchor === "start" && last.unit === "D" ? Number(last.amount) : Number.NaN;
  const amount = String(Number.isFinite(days) ? days + FOLLOWING_DAYS : FOLLOWING_DAYS);
  return { ...FIRST_STEP, amount, channel: last.channel };
}

function stepOf({ at, channel }: Campaign["steps"][number]): StepForm {
  const anchor = (at.after ?? at.before ?? "instant") as Anchor;
  return { ...periodOf(at.by ?? "P0D"), anchor, instant: at.instant ?? "", channel };
}

export function timeOf(step: StepForm): StepTime {
  if (step.anchor === "instant") return { instant: step.instant };
  const by = periodText(step);
  return step.anchor === "start" ? { after: "start", by } : { before: step.anchor, by };
}

export const formOf = (campaign: Campaign): CampaignForm => ({
  term: String(campaign.term_id),
  market: campaign.market ?? "",
  steps: campaign.steps.map(stepOf),
  texts: campaign.texts,
  anyTime: campaign.any_time,
});

export const bodyOf = ({ term, market, steps, texts, anyTime }: CampaignForm): CampaignInput => ({
  term_id: Number(term),
  ...(market.trim() && { market: market.trim() }),
  steps: steps.map((step) => ({ at: timeOf(step), channel: step.channel })),
  texts,
  any_time: anyTime,
});

/** Replaces one item of a list. */
export const replaced = <T extends object>(
  list: readonly T[],
  place: number,
  part: Partial<T>,
): readonly T[] => list.map((item, index) => (index === place ? { ...item, ...part } : item));

export const without = <T>(list: readonly T[], place: number): readonly T[] =>
  list.filter((_, index) => index !== place);
