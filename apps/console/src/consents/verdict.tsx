import type { DocumentCheck, Step, Verdict } from "./check";
import styles from "./consents.module.css";
import { ReceiptContent } from "./receipt-content";
import { useConsentsTexts } from "./texts/texts";

const MARKS = { good: "✓", bad: "✗", open: "–", missing: "?" } as const;

interface VerdictViewProps {
  readonly verdict: Verdict;
  readonly name: string | undefined;
  /** The number of the receipt. */
  readonly receipt: string | undefined;
}

/** The result of each step of the check, and what it means. */
export function VerdictView({ verdict, name, receipt }: VerdictViewProps) {
  const texts = useConsentsTexts();
  const { isGood, steps, documents } = verdict;
  return (
    <section
      className={`card ${styles.receiptVerdict}`}
      data-good={isGood}
      aria-labelledby="verdict-title"
    >
      <div role="status">
        <h2 id="verdict-title">{isGood ? texts.verdictGood : texts.verdictBad}</h2>
        <p>{isGood ? texts.verdictGoodHint : texts.verdictBadHint}</p>
        {name && (
          <p className="note">
            <bdi>{name}</bdi>
          </p>
        )}
      </div>
      <ol className={styles.receiptSteps}>
        {steps.map((step) => (
          <StepView key={step.name} step={step} documents={documents} />
        ))}
      </ol>
      {verdict.verified && (
        <ReceiptContent verdict={verdict} verified={verdict.verified} receipt={receipt} />
      )}
    </section>
  );
}

function StepView(props: { readonly step: Step; readonly documents: readonly DocumentCheck[] }) {
  const texts = useConsentsTexts();
  const { name, outcome, reason } = props.step;
  const stepTexts = texts.steps[name];
  const bad = props.documents.filter(({ state }) => state !== "same");
  return (
    <li data-outcome={outcome}>
      <span className={styles.mark} aria-hidden="true">
        {MARKS[outcome]}
      </span>
      <div>
        <strong>{stepTexts.title}</strong> <span className="note">{texts.outcomes[outcome]}</span>
        <p>{stepTexts[outcome]}</p>
        {reason && (
          <p className="note">
            <bdi dir="ltr">{reason}</bdi>
          </p>
        )}
        {name === "documents" &&
          bad.map(({ sha256, state }) => (
            <p key={sha256} className="note">
              <bdi className="mono">{sha256}</bdi> {texts.documentStates[state]}
            </p>
          ))}
      </div>
    </li>
  );
}
