import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dayOf } from "../language/days";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { coverageQuery } from "../terms/coverage/coverage-query";
import { LoadFailed, Loading } from "../ui/states";
import styles from "./overview.module.css";
import { type MandatoryTerm, overviewQuery } from "./overview-queries";
import { rateLine } from "./rate-line";
import { useOverviewTexts } from "./texts/texts";

const DAYS = 30;

/** The acceptance rate of each required document, with its line of the last 30 days. */
export function Acceptance() {
  const { texts } = useLanguage();
  const overview = useQuery(overviewQuery);
  const mandatory = overview.data?.mandatory ?? [];
  return (
    <section className="card">
      <h2>
        <Link className={styles.toAll} to="/terms">
          {texts.overview.agreed}
        </Link>
      </h2>
      {overview.isPending && <Loading />}
      {overview.isError && <LoadFailed error={overview.error} onRetry={overview.refetch} />}
      {overview.isSuccess && mandatory.length === 0 && (
        <p className="note">{texts.overview.noTerms}</p>
      )}
      <ul className={styles.agreed}>
        {mandatory.map((term) => (
          <TermRate key={term.id} term={term} />
        ))}
      </ul>
    </section>
  );
}

function TermRate({ term }: { readonly term: MandatoryTerm }) {
  const { texts, language } = useLanguage();
  const overviewTexts = useOverviewTexts();
  const number = (of: number) => of.toLocaleString(language.tag);
  const { riders, riders_outstanding: outstanding } = term;
  const isCounted = riders !== undefined && outstanding !== undefined;
  // After the first count, which may take long, so that it is not started twice.
  const coverage = useQuery({ ...coverageQuery(term.id), enabled: isCounted }).data;
  const accepted = isCounted ? riders - outstanding : 0;
  const rate = accepted / Math.max(riders ?? 0, 1);
  const line =
    coverage &&
    rateLine(
      coverage.by_day,
      { riders: coverage.riders, accepted: coverage.riders_accepted },
      dayOf(new Date(coverage.counted_at)),
      DAYS,
    );
  const percent = rate.toLocaleString(language.tag, { style: "percent" });
  const points = line && Math.round(100 * ((line.at(-1) ?? 0) - (line[0] ?? 0)));
  return (
    <li>
      <Link
        className={styles.toOne}
        to="/terms/$termId/coverage"
        params={{ termId: String(term.id) }}
      >
        <bdi>{inLanguage(term.titles, language.tag)?.title ?? term.title}</bdi>
      </Link>
      {line && <Sparkline line={line} title={overviewTexts.chart} />}
      <strong className={styles.rate}>{isCounted && percent}</strong>
      <span className={`note ${styles.riders}`}>
        <span>
          {isCounted
            ? texts.overview.ridersAgreed(number(accepted), number(riders))
            : texts.overview.counting}
        </span>
        {points !== undefined &&
          ` · ${overviewTexts.trend(points.toLocaleString(language.tag, { signDisplay: "exceptZero" }))}`}
      </span>
    </li>
  );
}

/** A line from 0 to 100 percent. Decorative, because the text next to it has the numbers. */
function Sparkline({ line, title }: { readonly line: readonly number[]; readonly title: string }) {
  const at = (rate: number, index: number) =>
    `${((100 * index) / Math.max(line.length - 1, 1)).toFixed(2)},${(24 - 22 * rate - 1).toFixed(2)}`;
  return (
    <svg
      className={styles.sparkline}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <title>{title}</title>
      <polyline points={line.map(at).join(" ")} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
