import { useLanguage } from "../language/language-context";
import type { StepTime } from "./campaigns-queries";
import { periodMs, periodOf } from "./period";
import { useCampaignsTexts } from "./texts/texts";

const NAMES = { D: "day", W: "week", H: "hour", M: "minute" } as const;

/** Returns a function that describes when a step is sent; undefined for an instant. */
export function useStepText(): (time: StepTime) => string | undefined {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const length = (by: string) => {
    const { amount, unit } = periodOf(by);
    if (unit === "other") return by;
    const options = { style: "unit", unit: NAMES[unit], unitDisplay: "long" } as const;
    return new Intl.NumberFormat(tag, options).format(Number(amount));
  };
  return ({ after, before, by }) => {
    const isNow = periodMs(by ?? "") === 0;
    if (after) return isNow ? texts.atStart : texts.afterStart(length(by ?? ""));
    if (before === "effective_from")
      return isNow ? texts.onEffective : texts.beforeEffective(length(by ?? ""));
    if (before) return isNow ? texts.onGrace : texts.beforeGrace(length(by ?? ""));
    return undefined;
  };
}
