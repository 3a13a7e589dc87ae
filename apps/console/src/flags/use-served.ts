import type { Flag, Serve } from "../configuration/document/document";
import { useDescriber } from "../configuration/review/use-describer";
import { useFlagsTexts } from "./texts/texts";

/** Returns a function that summarises in one line what a flag serves. */
export function useServedSummary(): (flag: Flag) => string {
  const { served } = useFlagsTexts();
  const { percent } = useDescriber();

  const now = (steps: readonly { readonly at?: string; readonly percent: number }[]) => {
    const past = steps.filter(({ at }) => !at || Date.parse(at) <= Date.now());
    return past.at(-1)?.percent ?? 0;
  };
  const short = (serve: Serve): string => {
    if ("variation" in serve) return served.some;
    if ("rollout" in serve) return served.rollout(percent(now(serve.rollout.steps)));
    return served.experiment[serve.experiment.status];
  };
  return (flag) => {
    if (!flag.on) return served.nobody;
    if (flag.rules.length === 0) return served.everybody(flag.defaultVariation);
    const [first] = flag.rules;
    if (flag.rules.length === 1 && first) return short(first.serve);
    const special = flag.rules.findLast(({ serve }) => !("variation" in serve));
    const rules = served.rules(flag.rules.length);
    return special ? `${rules} · ${short(special.serve)}` : rules;
  };
}
