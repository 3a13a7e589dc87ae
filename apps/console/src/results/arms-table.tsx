import { dateFormat } from "../language/date-format";
import { useLanguage } from "../language/language-context";
import tableStyles from "../table/table.module.css";
import { armsShown, expectedShare } from "./reading";
import styles from "./results.module.css";
import { isOld, type PeriodResults } from "./results-query";
import { useResultsTexts } from "./texts/texts";
import { useFigures } from "./use-figures";

interface ArmsProps {
  readonly results: PeriodResults;
  /** What identifies a person in the counts. */
  readonly unit: string | undefined;
  readonly armTitle: string;
  readonly armName: (arm: string) => string;
}

/** How many people were assigned to each arm, next to the expected number. */
export function ArmsTable({ results, unit, armTitle, armName }: ArmsProps) {
  const texts = useResultsTexts();
  const figures = useFigures();
  const weights = results.arms.map(({ weight }) => weight);
  const arms = armsShown(results);
  const all = arms.reduce((sum, { units }) => sum + units, 0);
  return (
    <section className={`card ${styles.resultsPeople}`}>
      <h2>{texts.people}</h2>
      {unit && <p className="note">{texts.peopleHint(`\u2068${unit}\u2069`)}</p>}
      <table className={tableStyles.table}>
        <caption className="mu-hidden">{texts.people}</caption>
        <thead>
          <tr>
            <th scope="col">{armTitle}</th>
            <th scope="col">{texts.count}</th>
            <th scope="col">{texts.share}</th>
            <th scope="col">{texts.expected}</th>
          </tr>
        </thead>
        <tbody>
          {arms.map(({ arm, units, weight }) => {
            const expected = expectedShare(weight, weights);
            const share = units / Math.max(all, 1);
            return (
              <tr key={arm}>
                <td data-title={armTitle}>
                  <bdi>{armName(arm)}</bdi>
                </td>
                <td data-title={texts.count}>{figures.count(units)}</td>
                <td data-title={texts.share}>
                  <ShareBar share={share} expected={expected} written={figures.share(share)} />
                </td>
                <td data-title={texts.expected}>
                  {expected === null ? texts.noWeight : figures.share(expected)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <SampleNotes results={results} />
    </section>
  );
}

function ShareBar(props: {
  readonly share: number;
  readonly expected: number | null;
  readonly written: string;
}) {
  return (
    <span className={styles.share}>
      <span className={styles.shareBar} aria-hidden="true">
        <span style={{ inlineSize: `${props.share * 100}%` }} />
        {props.expected !== null && <i style={{ insetInlineStart: `${props.expected * 100}%` }} />}
      </span>
      {props.written}
    </span>
  );
}

function SampleNotes({ results }: { readonly results: PeriodResults }) {
  const texts = useResultsTexts();
  const { language } = useLanguage();
  const figures = useFigures();
  const { sampleRatio, multipleExposures, warnings } = results;
  const time = dateFormat(language.tag, "clockSecond");
  const day = dateFormat(language.tag, "minute");
  const twice = multipleExposures.units > 0 && !warnings.includes("multiple_exposures");
  return (
    <div className={`${styles.resultsNotes} note`}>
      <p>
        {texts.all(figures.count(results.units))}
        {sampleRatio && !sampleRatio.mismatch && (
          <>
            {" · "}
            {sampleRatio.enough
              ? texts.ratioGood(figures.pValue(sampleRatio.pValue))
              : texts.ratioEarly}
          </>
        )}
      </p>
      {twice && (
        <p>
          {texts.twice(
            figures.count(multipleExposures.units),
            figures.share(multipleExposures.share),
          )}
        </p>
      )}
      {results.firstAt && results.lastAt && (
        <p>
          {texts.since(day.format(new Date(results.firstAt)), day.format(new Date(results.lastAt)))}
        </p>
      )}
      <p role="status">
        {texts.asOf(time.format(new Date(results.asOf)))}
        {isOld(results.asOf) && ` ${texts.updating}`}
      </p>
    </div>
  );
}
