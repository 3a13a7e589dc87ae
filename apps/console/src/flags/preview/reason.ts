import type { Flag, FlagsDocument } from "../../configuration/document/document";
import { useDescriber } from "../../configuration/review/use-describer";
import { useFlagsTexts } from "../texts/texts";
import type { Evaluated } from "./preview-query";
import { isOutsidePercentage } from "./trace";

/** Returns a function that explains in one sentence why a person gets a variation. */
export function useReason(flag: Flag, document: FlagsDocument): (result: Evaluated) => string {
  const { preview: previewTexts } = useFlagsTexts();
  const describer = useDescriber();

  const rule = (from: string) => {
    const at = flag.rules.findIndex(({ id }) => `rule:${id}` === from);
    const rule = flag.rules[at];
    if (!rule) return previewTexts.because.rule(from, "");
    const name = describer.texts.rule(
      String(at + 1),
      rule.name ? describer.texts.quoted(rule.name) : "",
    );
    return previewTexts.because.rule(name, describer.condition(rule.when));
  };
  const holdout = (from: string) => {
    const key = from.slice("holdout:".length);
    const holdout = document.holdouts.find((holdout) => holdout.key === key);
    return previewTexts.because.holdout(key, holdout ? describer.percent(holdout.percent) : "");
  };
  return ({ explanation: { kind, from }, trace }) => {
    switch (kind) {
      case "OFF":
        return flag.archived ? previewTexts.because.archived : previewTexts.because.off;
      case "OVERRIDE":
        return previewTexts.because.override;
      case "PREREQUISITE_FAILED":
        return previewTexts.because.prerequisite(from.slice("flag:".length));
      case "HOLDOUT":
        return holdout(from);
      case "TARGET":
      case "RULE":
      case "ROLLOUT":
        return rule(from);
      case "AB_TEST":
        return previewTexts.because.experiment(from.slice("experiment:".length));
      case "DEFAULT":
        return isOutsidePercentage(trace)
          ? previewTexts.because.outside
          : previewTexts.because.default;
      default:
        return from;
    }
  };
}
