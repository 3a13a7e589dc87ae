import { useQuery } from "@tanstack/react-query";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import type { DocumentCheck, Step, Verdict } from "./check";
import styles from "./consents.module.css";
import { titleOf } from "./consents-filter";
import { publishedTermsQuery } from "./consents-queries";
import { useConsentsTexts } from "./texts/texts";

const MARKS = { good: "✓", bad: "✗", open: "–", missing: "?" } as const;

interface VerdictShownProps {
  readonly verdict: Verdict;
  readonly name: string | undefined;
}

/** What was found, step by step, and what that means. */
export function VerdictShown({ verdict, name }: VerdictShownProps) {
  const words = useConsentsTexts();
  const { isGood, steps, documents } = verdict;
  return (
    <section
      className={`card ${styles.receiptVerdict}`}
      data-good={isGood}
      aria-labelledby="verdict-title"
    >
      <div role="status">
        <h2 id="verdict-title">{isGood ? words.verdictGood : words.verdictBad}</h2>
        <p>{isGood ? words.verdictGoodHint : words.verdictBadHint}</p>
        {name && (
          <p className="note">
            <bdi>{name}</bdi>
          </p>
        )}
      </div>
      <ol className={styles.receiptSteps}>
        {steps.map((step) => (
          <StepShown key={step.name} step={step} documents={documents} />
        ))}
      </ol>
      {verdict.verified && <Content verdict={verdict} />}
    </section>
  );
}

function StepShown(props: { readonly step: Step; readonly documents: readonly DocumentCheck[] }) {
  const words = useConsentsTexts();
  const { name, outcome, reason } = props.step;
  const told = words.steps[name];
  const bad = props.documents.filter(({ state }) => state !== "same");
  return (
    <li data-outcome={outcome}>
      <span className={styles.mark} aria-hidden="true">
        {MARKS[outcome]}
      </span>
      <div>
        <strong>{told.title}</strong> <span className="note">{words.outcomes[outcome]}</span>
        <p>{told[outcome]}</p>
        {reason && (
          <p className="note">
            <bdi dir="ltr">{reason}</bdi>
          </p>
        )}
        {name === "documents" &&
          bad.map(({ sha256, state }) => (
            <p key={sha256} className="note">
              <bdi className="mono">{sha256}</bdi> {words.documentStates[state]}
            </p>
          ))}
      </div>
    </li>
  );
}

/** What the receipt says, once it is known to be true. */
function Content({ verdict: { verified } }: { readonly verdict: Verdict }) {
  const words = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  const { data } = useQuery(publishedTermsQuery);
  if (!verified) return null;
  const { entry, index, checkpoint } = verified;
  const number = (value: number) => value.toLocaleString(language.tag);
  const titled = (id: number) => {
    const term = data?.items.find((term) => term.id === id);
    return term ? titleOf(term, language.tag) : words.termNumber(String(id));
  };
  return (
    <>
      <h3>{words.content}</h3>
      <ul className={styles.said}>
        {entry.consents.map((consent) => (
          <li key={consent.terms_and_conditions_id}>
            <span className="chip" data-tone={consent.accepted ? "good" : "bad"}>
              {consent.accepted ? words.accepted : words.refused}
            </span>{" "}
            <bdi>{titled(consent.terms_and_conditions_id)}</bdi>{" "}
            <a href={`/documents/${consent.sha256}.pdf`} target="_blank" rel="noreferrer">
              {words.exactText}
            </a>
          </li>
        ))}
      </ul>
      <dl className={styles.logFacts}>
        <dt>{words.recorded}</dt>
        <dd>
          <time dateTime={entry.recorded_at}>{written(entry.recorded_at)}</time>
        </dd>
        <dt>{words.by}</dt>
        <dd>{entry.user_type === "RIDER" ? words.rider : words.applicant}</dd>
        <dt>{words.place}</dt>
        <dd>{words.placeOf(number(index + 1), number(checkpoint.size))}</dd>
        <dt>{words.logName}</dt>
        <dd>
          <bdi className="mono">{checkpoint.origin}</bdi>
        </dd>
      </dl>
    </>
  );
}
