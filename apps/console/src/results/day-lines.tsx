import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { calendarFormat } from "../language/date-format";
import { useLanguage } from "../language/language-context";
import bannerStyles from "../ui/banner.module.css";
import { type DayPoint, lineDomain, linesOf } from "./day-line";
import styles from "./day-lines.module.css";
import { isUnreadable, placeOf, type Reading, readingOf, ticksOf } from "./reading";
import {
  type Daily,
  dailyQuery,
  type Interval,
  type Metric,
  type PeriodResults,
  type Subject,
} from "./results-query";
import type { ResultsSearch } from "./results-search";
import { useResultsTexts } from "./texts/texts";
import { isolated, useFigures } from "./use-figures";

interface DayLinesProps {
  readonly metric: Metric;
  readonly results: PeriodResults;
  readonly subject: Subject;
  readonly search: ResultsSearch;
  readonly armName: (arm: string) => string;
}

/** The difference over time with its always-valid interval, and the expected time until a result. */
export function DayLines({ metric, results, subject, search, armName }: DayLinesProps) {
  const texts = useResultsTexts();
  const daily = useQuery(dailyQuery(results.environment, subject, search));
  if (!daily.data || daily.data.metric !== metric.name) return null;
  const lines = linesOf(daily.data);
  const domain = lineDomain(lines);
  const isLong = [...lines.values()].some((line) => line.length > 1);
  const { remaining } = daily.data;
  return (
    <>
      {remaining && !isUnreadable(results) && <Remaining {...{ remaining, metric }} />}
      {isLong && (
        <section className={styles.dayLines}>
          <h3>{texts.overTime}</h3>
          <p className="note">{texts.overTimeHint}</p>
          {[...lines].map(([arm, line]) => {
            const metricArm = metric.arms.find((candidate) => candidate.arm === arm);
            const reading = metricArm ? readingOf(metricArm, results) : "no_data";
            return <DayLine key={arm} name={armName(arm)} {...{ line, domain, metric, reading }} />;
          })}
        </section>
      )}
    </>
  );
}

function Remaining(props: {
  readonly remaining: NonNullable<Daily["remaining"]>;
  readonly metric: Metric;
}) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const { needed, units, days, minimumEffect } = props.remaining;
  const isDecided = props.metric.arms.some(
    ({ verdict }) => verdict === "better" || verdict === "worse",
  );
  if (isDecided) return null;
  const effect = figures.share(minimumEffect);
  const sizes = texts.neededSoFar(figures.count(units), figures.count(needed));
  return (
    <p className={bannerStyles.banner} data-part="remaining">
      <strong>
        {units >= needed
          ? texts.enoughPeople
          : days === undefined
            ? texts.nobodyComes
            : texts.daysToGo(days)}
      </strong>{" "}
      {units >= needed ? texts.enoughHint(effect) : texts.remainingHint(effect, sizes)}
    </p>
  );
}

const HEIGHT = 120;

function DayLine(props: {
  readonly name: string;
  readonly line: readonly DayPoint[];
  readonly domain: Interval;
  readonly metric: Metric;
  readonly reading: Reading;
}) {
  const { name, line, domain, metric, reading } = props;
  const texts = useResultsTexts();
  const figures = useFigures();
  const { tag } = useLanguage().language;
  const id = useId();
  const day = calendarFormat(tag, "day");
  const dayOf = ({ date }: DayPoint) => day.format(new Date(`${date}T00:00:00Z`));
  const error = ({ interval }: DayPoint) => (interval.high - interval.low) / 4;
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return null;
  const written = (point: DayPoint) => {
    const number = figures.difference(metric, error(point));
    const high = figures.withUnit(metric, number(point.interval.high));
    const range = texts.range(number(point.interval.low), high);
    return { difference: figures.withUnit(metric, number(point.difference)), range };
  };
  const tick = figures.tick(metric);
  return (
    <figure className={styles.dayLine} aria-labelledby={id}>
      <figcaption id={id}>
        <bdi>{name}</bdi>: {written(last).difference} ({written(last).range})
      </figcaption>
      <div className={styles.plot}>
        <div className={styles.axis} aria-hidden="true">
          {ticksOf(domain).map((value) => (
            <span key={value} style={{ insetBlockEnd: `${placeOf(value, domain)}%` }}>
              {tick(value)}
            </span>
          ))}
        </div>
        <Drawing line={line} domain={domain} reading={reading} />
      </div>
      <p className={styles.days} aria-hidden="true">
        <span>{dayOf(first)}</span>
        {line.length > 1 && <span>{dayOf(last)}</span>}
      </p>
      <details>
        <summary>{texts.asTable(isolated(name))}</summary>
        <div className={styles.scroll}>
          <table className={styles.dayTable}>
            <caption className="mu-hidden">{name}</caption>
            <thead>
              <tr>
                <th scope="col">{texts.day}</th>
                <th scope="col">{texts.count}</th>
                <th scope="col">{texts.difference}</th>
                <th scope="col">{texts.interval}</th>
              </tr>
            </thead>
            <tbody>
              {line.map((point) => (
                <tr key={point.date}>
                  <th scope="row">{dayOf(point)}</th>
                  <td>{figures.count(point.units)}</td>
                  <td>{written(point).difference}</td>
                  <td>{written(point).range}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** Only shapes: all text is next to it. Days run in reading direction. */
function Drawing(props: {
  readonly line: readonly DayPoint[];
  readonly domain: Interval;
  readonly reading: Reading;
}) {
  const { line, domain, reading } = props;
  const times = line.map(({ date }) => Date.parse(date));
  const [from = 0, to = 1] = [times[0], times.at(-1)];
  const x = (at: number) => ((at - from) / Math.max(to - from, 1)) * 100;
  const y = (value: number) =>
    HEIGHT - (Math.min(Math.max(placeOf(value, domain), 0), 100) / 100) * HEIGHT;
  const path = (values: readonly (readonly [number, number])[]) =>
    values.map(([at, value]) => `${x(at).toFixed(2)} ${y(value).toFixed(2)}`).join("L");
  const ends = line.map(({ interval }, at) => [times[at] ?? 0, interval] as const);
  const upper = path(ends.map(([at, { high }]) => [at, high] as const));
  const lower = path(ends.map(([at, { low }]) => [at, low] as const).reverse());
  const middle = path(line.map(({ difference }, at) => [times[at] ?? 0, difference] as const));
  return (
    <svg
      className={styles.drawing}
      data-reading={reading}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.zero} d={`M0 ${y(0)}H100`} />
      <path className={styles.band} d={`M${upper}L${lower}Z`} />
      <path className={styles.middle} d={`M${middle}`} />
    </svg>
  );
}
