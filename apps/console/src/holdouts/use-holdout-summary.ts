import type { Holdout } from "../configuration/document/document";
import { useDescriber } from "../configuration/review/use-describer";
import { isolated } from "../results/use-figures";
import { useHoldoutsTexts } from "./texts/texts";

/** Returns functions that summarise a holdout's scope and times. */
export function useHoldoutSummary() {
  const texts = useHoldoutsTexts();
  const describer = useDescriber();
  const named = (names: readonly string[]) => describer.list(names.map(isolated), "and");

  function appliesTo({ applies, scope }: Holdout): string {
    if (applies.mode === "selected") return named([...applies.flags, ...applies.tags]);
    const all = scope === "all" ? texts.everything : texts.experiments;
    const but = applies.exceptFlags;
    return but.length > 0 ? texts.except(all, named(but)) : all;
  }

  /** Returns the future steps, the nearest first. */
  function upcomingSteps({ schedule, status }: Holdout, now: Date): readonly string[] {
    if (status === "ended" || !schedule) return [];
    const steps = [
      { at: schedule.startAt, say: texts.starts },
      { at: schedule.analysisAt, say: texts.analysis },
      { at: schedule.stopAt, say: texts.stops },
    ];
    return steps.flatMap(({ at, say }) =>
      at && new Date(at) > now ? [say(describer.instant(at))] : [],
    );
  }
  return { appliesTo, toCome: upcomingSteps, percent: describer.percent, named };
}
