import { useQuery } from "@tanstack/react-query";
import type { MetricRoles } from "../configuration/document/document";
import bannerStyles from "../ui/banner.module.css";
import { ArmsTable } from "./arms-table";
import { DayLines } from "./day-lines";
import { MetricCall } from "./how-to-send";
import { MetricFacts } from "./metric-facts";
import { MetricForm } from "./metric-form";
import { MetricTable } from "./metric-table";
import { MetricTexts } from "./metric-texts";
import { isSilent } from "./reading";
import styles from "./results.module.css";
import { metricNamesQuery, type PeriodResults, type Subject } from "./results-query";
import type { ResultsSearch } from "./results-search";
import { RoleMetrics } from "./role-metrics";
import { SampleWarnings } from "./sample-warnings";
import { useResultsTexts } from "./texts/texts";
import { isolated, useFigures } from "./use-figures";

export interface ResultsViewProps {
  readonly subject: Subject;
  readonly roles: MetricRoles;
  readonly results: PeriodResults;
  readonly search: ResultsSearch;
  readonly onChange: (search: ResultsSearch) => void;
  readonly unit: string | undefined;
  readonly phase?: {
    readonly shown: number;
    readonly current: number;
    readonly all: readonly number[];
  };
  readonly armTitle: string;
  readonly armName: (arm: string) => string;
}

/** Shows who took part, whether the numbers are valid, and the results. */
export function ResultsView(props: ResultsViewProps) {
  const texts = useResultsTexts();
  const { results, search, armTitle, armName, phase } = props;
  const { metric } = results;
  const names = useQuery(metricNamesQuery(results.environment));
  return (
    <>
      <SampleWarnings results={results} />
      <section className={`card ${styles.resultsMetric}`}>
        <div>
          <h2>{texts.metric}</h2>
          <p className="note">{texts.metricHint}</p>
        </div>
        <MetricForm
          search={search}
          metric={metric}
          metrics={names.data ?? []}
          onChange={props.onChange}
          {...(phase && { phase })}
        />
        <Shown {...props} />
      </section>
      <RoleMetrics
        roles={props.roles}
        results={results}
        subject={props.subject}
        search={search}
        armName={armName}
      />
      <ArmsTable results={results} unit={props.unit} armTitle={armTitle} armName={armName} />
    </>
  );
}

function Shown({ results, subject, search, armTitle, armName }: ResultsViewProps) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const { metric } = results;
  if (!metric) return <p className="note">{texts.metricNoneHint}</p>;
  if (isSilent(metric)) {
    return (
      <div className={styles.howToSend}>
        <p className={bannerStyles.banner}>{texts.silent(isolated(metric.name))}</p>
        <MetricCall metric={metric.name} />
      </div>
    );
  }
  return (
    <>
      <MetricFacts metric={metric} />
      <MetricTexts metric={metric} results={results} armName={armName} />
      <MetricTable metric={metric} results={results} armTitle={armTitle} armName={armName} />
      <DayLines
        metric={metric}
        results={results}
        subject={subject}
        search={search}
        armName={armName}
      />
      <div className={`${styles.resultsNotes} note`}>
        <p>{texts.always}</p>
        {metric.comparisons > 1 && <p>{texts.corrected(figures.count(metric.comparisons))}</p>}
        {metric.adjusted && (
          <p>
            <span className="chip" data-tone="good">
              {texts.cuped}
            </span>{" "}
            {texts.cupedHint}
          </p>
        )}
      </div>
    </>
  );
}
