import bannerStyles from "../ui/banner.module.css";
import { armsShown, isUnreadable, type Reading, readingOf } from "./reading";
import styles from "./results.module.css";
import type { Metric, MetricArm, PeriodResults } from "./results-query";
import { useResultsTexts } from "./texts/texts";
import { isolated, useFigures } from "./use-figures";

export const tones: Readonly<Record<Reading, "good" | "bad" | "warning" | undefined>> = {
  better: "good",
  worse: "bad",
  unreadable: "warning",
  not_yet: undefined,
  no_data: undefined,
};

interface MetricWordsProps {
  readonly metric: Metric;
  readonly results: PeriodResults;
  readonly armName: (arm: string) => string;
}

/** The conclusions to date, one sentence per arm. */
export function MetricTexts({ metric, results, armName }: MetricWordsProps) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const name = (arm: string) => isolated(armName(arm));

  function sentence(arm: MetricArm, reading: Reading): string {
    if (reading === "unreadable") {
      if (results.warnings.includes("weights_changed")) return texts.unreadableWeights;
      const isRatio = results.warnings.includes("sample_ratio_mismatch");
      return isRatio ? texts.unreadableRatio : texts.unreadableTwice;
    }
    if (!arm.comparison) return texts.noData(name(arm.arm));
    const { standardError, always } = arm.comparison.difference;
    const written = figures.difference(metric, standardError);
    const low = written(always.interval.low);
    const high = figures.withUnit(metric, written(always.interval.high));
    if (reading === "not_yet") return texts.notYet(name(arm.arm), texts.range(low, high));
    const between = texts.between(low, high);
    return (reading === "better" ? texts.better : texts.worse)(name(arm.arm), between);
  }

  const shown = armsShown(results).map(({ arm }) => arm);
  const arms = metric.arms.filter(({ arm }) => arm !== metric.baseline && shown.includes(arm));
  const hasBaseline = metric.arms.some(({ arm, units }) => arm === metric.baseline && units > 0);
  if (!hasBaseline && !isUnreadable(results)) {
    return <p className={bannerStyles.banner}>{texts.noBaseline(name(metric.baseline))}</p>;
  }
  return (
    <ul className={styles.metricTexts} data-part="conclusions">
      {arms.map((arm) => {
        const reading = readingOf(arm, results);
        return (
          <li key={arm.arm}>
            <span className="chip" data-tone={tones[reading]}>
              {texts.readings[reading]}
            </span>
            <span>{sentence(arm, reading)}</span>
          </li>
        );
      })}
    </ul>
  );
}
