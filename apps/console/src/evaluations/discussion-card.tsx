import { useMoment } from "../language/use-moment";
import styles from "./evaluations.module.css";
import type { Discussion, EvaluationDetail } from "./model";
import { useEvaluationsTexts } from "./texts/texts";

/** The messages of the newest discussion, oldest first. */
export function DiscussionCard(props: {
  readonly evaluation: EvaluationDetail;
  readonly discussion: Discussion;
}) {
  const texts = useEvaluationsTexts();
  const moment = useMoment();
  const { discussion, evaluation } = props;
  const { contested, round } = discussion;
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.discussion}</h2>
      <p className="note">
        {texts.contested(texts.statuses[contested], String(round))}
        {evaluation.answer_due && <> {texts.answerDue(moment(evaluation.answer_due))}</>}
      </p>
      <ol className={styles.thread}>
        {discussion.messages.map(({ id, from, message, at }) => (
          <li key={id} data-from={from}>
            <p className={styles.from}>
              <strong>{texts.sides[from]}</strong>
              <time className="note" dateTime={at}>
                {moment(at)}
              </time>
            </p>
            <p className={styles.message} dir="auto">
              {message}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
