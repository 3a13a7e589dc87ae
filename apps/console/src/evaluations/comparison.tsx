import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import factStyles from "../ui/facts.module.css";
import { duration } from "./duration";
import styles from "./evaluations.module.css";
import { type EvaluationDetail, FIGURES, secondsOf } from "./model";
import { useEvaluationsTexts } from "./texts/texts";
import { useWorkZone } from "./use-work-zone";

/** The planned times, and a table of the recorded figures and those that the rider states. */
export function Comparison({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const texts = useEvaluationsTexts();
  const { tag } = useLanguage().language;
  const { subject, figures, discussion } = evaluation;
  const zone = useWorkZone(subject.market);
  const minute = useMinute(zone);
  const claimed = discussion?.figures;
  const rows = FIGURES.map((name) => ({
    name,
    recorded: secondsOf(name, figures),
    stated: secondsOf(name, claimed),
  })).filter(({ recorded, stated }) => recorded !== undefined || stated !== undefined);
  const written = (seconds: number | undefined) =>
    seconds === undefined ? "–" : duration(tag, seconds);
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.recorded}</h2>
      <dl className={factStyles.facts}>
        <dt>{texts.planned}</dt>
        <dd>
          <time dateTime={subject.starts_at}>{minute(subject.starts_at)}</time>
          {subject.ends_at && (
            <>
              {" – "}
              <time dateTime={subject.ends_at}>{minute(subject.ends_at)}</time>
            </>
          )}{" "}
          <span className="note">{zone ?? timeZone()}</span>
        </dd>
      </dl>
      {rows.length === 0 ? (
        <p className="note">{texts.noFigures}</p>
      ) : (
        <table className={styles.comparison}>
          <caption className="mu-hidden">{texts.recorded}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.figure}</th>
              <th scope="col">{texts.recordedColumn}</th>
              {claimed && <th scope="col">{texts.claimedColumn}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, recorded, stated }) => (
              <tr key={name}>
                <th scope="row">{texts.figures[name]}</th>
                <td>{written(recorded)}</td>
                {claimed && (
                  <td data-differs={(stated !== undefined && stated !== recorded) || undefined}>
                    {written(stated)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
