import { useEvaluationsTexts } from "../evaluations/texts/texts";
import { calendarFormat } from "../language/date-format";
import { useLanguage } from "../language/language-context";
import { useMarketName } from "../markets/use-market-name";
import { useRestrictionsTexts } from "../restrictions/texts/texts";
import type { Column } from "../table/long-table";
import whoStyles from "../ui/who.module.css";
import type { ReportedCount, ReportRow } from "./report-queries";
import styles from "./reports.module.css";
import { useReportsTexts } from "./texts/texts";

const STATUSES = [
  "PENDING",
  "EVALUATED",
  "NO_SHOW",
  "IN_DISCUSSION",
  "ACCEPTED",
  "REJECTED",
] as const;
const KINDS = ["limitation", "suspension", "termination"] as const;
const OUTCOMES = ["open", "upheld", "changed", "lifted"] as const;
const HOUR_S = 3600;

/** A name and its figure. */
type Fact = readonly [name: string, figure: string];

export function useReportColumns(): readonly Column<ReportRow>[] {
  const texts = useReportsTexts();
  const { statuses } = useEvaluationsTexts();
  const { kinds } = useRestrictionsTexts();
  const marketName = useMarketName();
  const written = useWritten();
  const monthName = useMonthName();
  return [
    {
      id: "month",
      title: texts.month,
      width: "16%",
      cell: ({ month, market }) => (
        <div className={whoStyles.who}>
          <time dateTime={month}>{monthName(month)}</time>
          <span className="note">
            <bdi>{market ? marketName(market) : texts.everywhere}</bdi>
          </span>
        </div>
      ),
    },
    {
      id: "evaluations",
      title: texts.evaluations,
      width: "24%",
      cell: ({ evaluations }) => (
        <Facts
          facts={[
            [texts.total, written.count(evaluations.total)],
            ...STATUSES.map(
              (status): Fact => [statuses[status], written.count(evaluations[status])],
            ),
          ]}
        />
      ),
    },
    {
      id: "contests",
      title: texts.contests,
      width: "22%",
      cell: (row) => (
        <Facts
          facts={[
            [texts.contested, written.count(row.contested)],
            [texts.overturned, written.count(row.overturned)],
            [texts.median, written.time(row.answer_median_seconds)],
            [texts.p90, written.time(row.answer_p90_seconds)],
          ]}
        />
      ),
    },
    {
      id: "restrictions",
      title: texts.restrictions,
      width: "20%",
      cell: ({ restrictions }) => (
        <Facts
          facts={[
            [texts.total, written.count(restrictions.total)],
            ...KINDS.map((kind): Fact => [kinds[kind], written.count(restrictions[kind])]),
          ]}
        />
      ),
    },
    {
      id: "reviews",
      title: texts.reviews,
      width: "18%",
      cell: ({ reviews }) => (
        <Facts
          facts={[
            [texts.total, written.count(reviews.requested)],
            ...OUTCOMES.map(
              (outcome): Fact => [texts.outcomes[outcome], written.count(reviews[outcome])],
            ),
          ]}
        />
      ),
    },
  ];
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.figures}>
      {facts.map(([name, figure]) => (
        <FactRow key={name} name={name} figure={figure} />
      ))}
    </dl>
  );
}

function FactRow({ name, figure }: { readonly name: string; readonly figure: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{figure}</bdi>
      </dd>
    </>
  );
}

/** Returns functions that write a count and a time to answer. */
function useWritten() {
  const texts = useReportsTexts();
  const { tag } = useLanguage().language;
  return {
    count: (count: ReportedCount) => {
      if (count === null) return texts.suppressed;
      return typeof count === "number" ? count.toLocaleString(tag) : count;
    },
    time: (seconds: number | null) => {
      if (seconds === null) return "–";
      const hours = (seconds / HOUR_S).toLocaleString(tag, { maximumFractionDigits: 1 });
      return texts.hours(hours);
    },
  };
}

function useMonthName(): (month: string) => string {
  const { tag } = useLanguage().language;
  const format = calendarFormat(tag, "month");
  return (month) => format.format(new Date(`${month}-01T00:00:00Z`));
}
