import tableStyles from "../table/table.module.css";
import { IntervalAxis, IntervalChart } from "./interval-chart";
import { armsShown, decimalsOf, domainOf, type Reading, readingOf } from "./reading";
import styles from "./results.module.css";
import type { Effect, Metric, MetricArm, PeriodResults } from "./results-query";
import { useResultsTexts } from "./texts/texts";
import { useFigures } from "./use-figures";

interface MetricTableProps {
  readonly metric: Metric;
  readonly results: PeriodResults;
  readonly armTitle: string;
  readonly armName: (arm: string) => string;
}

/** Compares each arm with the baseline: as figures, and drawn on one axis. */
export function MetricTable({ metric, results, armTitle, armName }: MetricTableProps) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const compared = metric.arms.flatMap(({ comparison }) => (comparison ? [comparison] : []));
  const domain = domainOf(compared.map(({ difference }) => difference.always.interval));
  const error = Math.max(0, ...compared.map(({ difference }) => difference.standardError));
  // An average needs one more digit than its difference.
  const mean = figures.mean(metric, error / 10 ** Number(decimalsOf(error) < 2));
  const meanTitle = figures.title(metric);
  const shown = new Set(armsShown(results).map(({ arm }) => arm));
  const arms = metric.arms
    .filter(({ arm }) => shown.has(arm))
    .sort((a, b) => Number(b.arm === metric.baseline) - Number(a.arm === metric.baseline));
  return (
    <table className={`${tableStyles.table} ${styles.metricTable}`}>
      <caption className="mu-hidden">{metric.name}</caption>
      <Head armTitle={armTitle} meanTitle={meanTitle} />
      <tbody>
        {arms.map((arm) => (
          <tr key={arm.arm} data-baseline={arm.arm === metric.baseline || undefined}>
            <td data-title={armTitle}>
              <bdi>{armName(arm.arm)}</bdi>{" "}
              {arm.arm === metric.baseline && <span className="chip">{texts.baseline}</span>}
            </td>
            <td data-title={meanTitle}>
              {arm.units > 0 && mean(arm.mean)}
              <small className="note">
                {texts.reported(figures.count(arm.reported), figures.count(arm.units))}
              </small>
            </td>
            <Difference arm={arm} metric={metric} reading={readingOf(arm, results)} />
            <td className={styles.metricDrawn} data-title={texts.interval}>
              {arm.comparison && (
                <>
                  <IntervalChart
                    effect={arm.comparison.difference}
                    domain={domain}
                    reading={readingOf(arm, results)}
                  />
                  <Range effect={arm.comparison.difference} metric={metric} />
                </>
              )}
            </td>
            <Lift arm={arm} reading={readingOf(arm, results)} />
          </tr>
        ))}
      </tbody>
      {compared.length > 0 && (
        <tfoot>
          <tr>
            <td colSpan={3} />
            <td className={styles.metricDrawn}>
              <IntervalAxis domain={domain} written={figures.tick(metric)} />
            </td>
            <td />
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Head(props: { readonly armTitle: string; readonly meanTitle: string }) {
  const texts = useResultsTexts();
  return (
    <thead>
      <tr>
        <th scope="col">{props.armTitle}</th>
        <th scope="col">{props.meanTitle}</th>
        <th scope="col">{texts.difference}</th>
        <th scope="col" className={styles.metricDrawn}>
          {texts.interval}
        </th>
        <th scope="col">{texts.lift}</th>
      </tr>
    </thead>
  );
}

function Difference(props: {
  readonly arm: MetricArm;
  readonly metric: Metric;
  readonly reading: Reading;
}) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const { comparison } = props.arm;
  if (!comparison) return <td data-title={texts.difference} />;
  const { value, standardError } = comparison.difference;
  const written = figures.difference(props.metric, standardError);
  return (
    <td data-title={texts.difference}>
      <span data-reading={props.reading} className={styles.metricDifference}>
        {figures.withUnit(props.metric, written(value))}
      </span>
    </td>
  );
}

function Range(props: { readonly effect: Effect; readonly metric: Metric }) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const { standardError, always } = props.effect;
  const written = figures.difference(props.metric, standardError);
  const high = figures.withUnit(props.metric, written(always.interval.high));
  return <small className="note">{texts.range(written(always.interval.low), high)}</small>;
}

function Lift({ arm, reading }: { readonly arm: MetricArm; readonly reading: Reading }) {
  const texts = useResultsTexts();
  const { lift: written } = useFigures();
  const lift = arm.comparison?.lift;
  return (
    <td data-title={texts.lift}>
      {lift && (
        <>
          <span data-reading={reading}>{written(lift.value)}</span>
          <small className="note">
            {texts.range(written(lift.always.interval.low), written(lift.always.interval.high))}
          </small>
        </>
      )}
    </td>
  );
}
