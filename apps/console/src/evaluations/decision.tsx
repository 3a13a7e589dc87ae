import { Link } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { useMoment } from "../language/use-moment";
import styles from "./evaluations.module.css";
import { type EvaluationDetail, textFor } from "./model";
import { useEvaluationsTexts } from "./texts/texts";

/** The reasons, the statement of a rejection, the system, and the time to contest. */
export function Decision({ evaluation }: { readonly evaluation: EvaluationDetail }) {
  const texts = useEvaluationsTexts();
  const moment = useMoment();
  const { tag } = useLanguage().language;
  const { reasons, statement, system, contest_until: until, finalised_at: final } = evaluation;
  const isOpen = evaluation.status === "IN_DISCUSSION";
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.reasons}</h2>
      {reasons.length === 0 && !statement && <p className="note">{texts.noReasons}</p>}
      {reasons.length > 0 && (
        <ul className={styles.reasons}>
          {reasons.map(({ code, text }) => {
            const shown = textFor(text, tag);
            return (
              <li key={code}>
                <span lang={shown.lang} dir="auto">
                  {shown.text}
                </span>{" "}
                <bdi className="mono note">{code}</bdi>
              </li>
            );
          })}
        </ul>
      )}
      {statement && (
        <p className={styles.message} dir="auto">
          {statement}
        </p>
      )}
      {system && (
        <p className="note">
          {texts.system(system.version)}{" "}
          <Link to="/automated-systems/$systemKey" params={{ systemKey: system.name }}>
            <bdi>{system.name}</bdi>
          </Link>
        </p>
      )}
      <p className="note">
        {final && texts.finalSince(moment(final))}
        {!final && !isOpen && until && texts.contestUntil(moment(until))}
      </p>
    </section>
  );
}
