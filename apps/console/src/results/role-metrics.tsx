import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { MetricRoles } from "../configuration/document/document";
import { tones } from "./metric-texts";
import { armsShown, type Reading, readingOf } from "./reading";
import styles from "./results.module.css";
import {
  type Metric,
  type MetricArm,
  type PeriodResults,
  periodResultsQuery,
  type Subject,
} from "./results-query";
import type { ResultsSearch } from "./results-search";
import { useResultsTexts } from "./texts/texts";
import { useFigures } from "./use-figures";

interface RoleMetricsProps {
  readonly roles: MetricRoles;
  readonly results: PeriodResults;
  readonly subject: Subject;
  readonly search: ResultsSearch;
  readonly armName: (arm: string) => string;
}

/** The experiment's other metrics with their verdicts: guardrails first. */
export function RoleMetrics({ roles, results, subject, search, armName }: RoleMetricsProps) {
  const texts = useResultsTexts();
  const named = [roles.goal, ...(roles.guardrails ?? []), ...(roles.secondary ?? [])];
  const others = named.filter(
    (metric): metric is string => !!metric && metric !== results.metric?.name,
  );
  const phase = search.phase === undefined ? {} : { phase: search.phase };
  const queries = useQueries({
    queries: others.map((metric) =>
      periodResultsQuery(results.environment, subject, { ...phase, metric }),
    ),
  });
  if (others.length === 0) return null;
  return (
    <section className={`card ${styles.roleMetrics}`}>
      <div>
        <h2>{texts.otherMetrics}</h2>
        <p className="note">{texts.otherMetricsHint}</p>
      </div>
      <ul>
        {queries.map(({ data }, at) =>
          data?.metric ? (
            <li key={others[at]}>
              <MetricLine metric={data.metric} results={data} subject={subject} armName={armName} />
            </li>
          ) : null,
        )}
      </ul>
    </section>
  );
}

function MetricLine(props: {
  readonly metric: Metric;
  readonly results: PeriodResults;
  readonly subject: Subject;
  readonly armName: (arm: string) => string;
}) {
  const { metric, results, subject, armName } = props;
  const texts = useResultsTexts();
  const shown = armsShown(results).map(({ arm }) => arm);
  const arms = metric.arms.filter(({ arm }) => arm !== metric.baseline && shown.includes(arm));
  return (
    <>
      <p className={styles.roleName}>
        <Link
          to={subject.kind === "experiments" ? "/experiments/$key" : "/holdouts/$key"}
          params={{ key: subject.key }}
          search={{ metric: metric.name }}
        >
          <bdi>{metric.title ?? metric.name}</bdi>
        </Link>
        {metric.role && <span className="chip">{texts.roles[metric.role]}</span>}
        <span className="note">{texts.directions[metric.direction]}</span>
      </p>
      <ul>
        {arms.map((arm) => (
          <ArmLine key={arm.arm} {...{ arm, metric, armName }} reading={readingOf(arm, results)} />
        ))}
      </ul>
    </>
  );
}

function ArmLine(props: {
  readonly arm: MetricArm;
  readonly metric: Metric;
  readonly reading: Reading;
  readonly armName: (arm: string) => string;
}) {
  const { arm, metric, reading, armName } = props;
  const texts = useResultsTexts();
  const figures = useFigures();
  const isGuardrail = metric.role === "guardrail";
  const label = isGuardrail && reading === "not_yet" ? texts.notWorse : texts.readings[reading];
  const { difference } = arm.comparison ?? {};
  const number = figures.difference(metric, difference?.standardError ?? 0);
  return (
    <li>
      <span className="chip" data-tone={tones[reading]}>
        {label}
      </span>
      <bdi>{armName(arm.arm)}</bdi>
      {difference && reading !== "unreadable" && (
        <span className="note">
          {texts.range(
            number(difference.always.interval.low),
            figures.withUnit(metric, number(difference.always.interval.high)),
          )}
        </span>
      )}
    </li>
  );
}
