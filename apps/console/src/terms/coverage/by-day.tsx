import { Link, useSearch } from "@tanstack/react-router";
import { DayChart } from "../../chart/day-chart";
import { columnsOf, labelsIn, total } from "../../chart/days";
import { timeZone } from "../../language/dates";
import { dayOf } from "../../language/days";
import { useLanguage } from "../../language/language-context";
import { useCampaignMarks } from "./campaign-marks";
import styles from "./coverage.module.css";
import type { Coverage } from "./coverage-query";
import { ranges } from "./coverage-search";
import { useCoverageTexts } from "./texts/texts";

/** The riders by the day of their latest decision. */
export function ByDay(props: { readonly coverage: Coverage; readonly term: number }) {
  const { coverage, term } = props;
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const { days: chosen = 30 } = useSearch({ from: "/inside/terms/$termId/coverage" });
  const days = coverage.by_day.map(
    ({ day, riders_accepted, riders_declined, riders_withdrawn }) => ({
      day,
      values: [riders_accepted, riders_declined, riders_withdrawn],
    }),
  );
  const columns = columnsOf(days, dayOf(new Date(coverage.as_of ?? coverage.counted_at)), chosen);
  const marks = useCampaignMarks(term);
  const isEmpty = columns.every(
    (column) => total(column.values) === 0 && labelsIn(column, marks).length === 0,
  );
  return (
    <section className={`card ${styles.byDay}`}>
      <header>
        <h2>{texts.byDay}</h2>
        <nav className={styles.ranges} aria-label={texts.range}>
          {ranges.map((range) => (
            <Link
              key={range}
              from="/terms/$termId/coverage"
              search={({ days: _days, ...others }) => ({
                ...others,
                ...(range !== 30 && { days: range }),
              })}
              activeOptions={{ exact: true }}
              replace
              resetScroll={false}
            >
              {texts.days(range, range.toLocaleString(tag))}
            </Link>
          ))}
        </nav>
      </header>
      {isEmpty ? (
        <div className="calm">
          <p>{texts.noDecisions}</p>
          <p className="note">{texts.noDecisionsHint}</p>
        </div>
      ) : (
        <DayChart
          label={texts.chart}
          columns={columns}
          series={[
            { name: texts.accepted, tone: "good" },
            { name: texts.declined, tone: "bad" },
            { name: texts.withdrawn, tone: "warning" },
          ]}
          marks={marks}
          texts={{
            asTable: texts.asTable,
            day: texts.day,
            hint: texts.chartHint,
            marks: texts.campaignSteps,
          }}
        />
      )}
      <p className="note">{texts.countedOnce(timeZone())}</p>
    </section>
  );
}
