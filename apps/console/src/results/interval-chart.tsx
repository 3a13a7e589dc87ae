import { placeOf, type Reading, ticksOf } from "./reading";
import styles from "./results.module.css";
import type { Effect, Interval } from "./results-query";

const HEIGHT = 32;
const MIDDLE = HEIGHT / 2;

/**
 * An interval on the axis that all arms of a table share. The text next to it says the same.
 * Numbers increase to the right in every language.
 */
export function IntervalChart(props: {
  readonly effect: Effect;
  readonly domain: Interval;
  readonly reading: Reading;
}) {
  const { effect, domain, reading } = props;
  const { low, high } = effect.always.interval;
  const at = (value: number) => `${placeOf(value, domain)}%`;
  return (
    <svg className={styles.interval} aria-hidden="true" data-reading={reading} height={HEIGHT}>
      <line className={styles.intervalZero} x1={at(0)} x2={at(0)} y1="0" y2={HEIGHT} />
      <line className={styles.intervalLine} x1={at(low)} x2={at(high)} y1={MIDDLE} y2={MIDDLE} />
      {[low, high].map((end) => (
        <line
          key={end}
          className={styles.intervalLine}
          x1={at(end)}
          x2={at(end)}
          y1={MIDDLE - 5}
          y2={MIDDLE + 5}
        />
      ))}
      <circle className={styles.intervalDot} cx={at(effect.value)} cy={MIDDLE} r="5" />
    </svg>
  );
}

/** The axis below the intervals, in the table's last row. */
export function IntervalAxis(props: {
  readonly domain: Interval;
  readonly written: (value: number) => string;
}) {
  const { domain, written } = props;
  return (
    <svg className={`${styles.interval} ${styles.intervalAxis}`} aria-hidden="true" height="24">
      {ticksOf(domain).map((tick) => (
        <g key={tick}>
          <line x1={`${placeOf(tick, domain)}%`} x2={`${placeOf(tick, domain)}%`} y1="0" y2="5" />
          <text x={`${placeOf(tick, domain)}%`} y="19" textAnchor="middle" direction="ltr">
            {written(tick)}
          </text>
        </g>
      ))}
    </svg>
  );
}
