import type { Holdout } from "../configuration/document/document";
import { useTeller } from "../configuration/review/use-teller";
import { isolated } from "../results/use-figures";
import { useHoldoutsTexts } from "./texts/texts";

/** Returns functions that summarise a holdout's scope and times. */
export function useHoldoutWords() {
  const words = useHoldoutsTexts();
  const teller = useTeller();
  const named = (names: readonly string[]) => teller.list(names.map(isolated), "and");

  function appliesTo({ applies, scope }: Holdout): string {
    if (applies.mode === "selected") return named([...applies.flags, ...applies.tags]);
    const all = scope === "all" ? words.everything : words.experiments;
    const but = applies.exceptFlags;
    return but.length > 0 ? words.except(all, named(but)) : all;
  }

  /** Returns the future steps, the nearest first. */
  function toCome({ schedule, status }: Holdout, now: Date): readonly string[] {
    if (status === "ended" || !schedule) return [];
    const steps = [
      { at: schedule.startAt, say: words.starts },
      { at: schedule.analysisAt, say: words.analysis },
      { at: schedule.stopAt, say: words.stops },
    ];
    return steps.flatMap(({ at, say }) =>
      at && new Date(at) > now ? [say(teller.instant(at))] : [],
    );
  }
  return { appliesTo, toCome, percent: teller.percent, named };
}
