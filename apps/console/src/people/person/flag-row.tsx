import styles from "./person.module.css";
import { type PersonTexts, usePersonTexts } from "./texts/texts";
import { type Evaluation, grouped, nameOf, readCondition, type TraceStep } from "./trace";

interface FlagRowProps {
  readonly name: string;
  readonly evaluation: Evaluation;
}

/** A flag with its value and the reason. Opened, it lists each condition. */
export function FlagRow({ name, evaluation }: FlagRowProps) {
  const texts = usePersonTexts();
  const { explanation, trace = [], variation, variationKey } = evaluation;
  return (
    <li>
      <details className={styles.flagRow}>
        <summary>
          <span className={`${styles.personFlag} mono`}>
            <bdi>{name}</bdi>
          </span>
          <Value value={variation} texts={texts} />
          <span className={`note ${styles.flagWhy}`}>{reasonOf(explanation, texts)}</span>
        </summary>
        <div className={styles.flagTrace}>
          {variationKey !== null && (
            <p className="note">
              {texts.variation} <bdi className="mono">{variationKey}</bdi>
            </p>
          )}
          {trace.length === 0 ? (
            <p>{texts.noConditions}</p>
          ) : (
            <ol>
              {grouped(trace).map(({ step, steps }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one answer, whose steps stay in order
                <li key={place}>
                  <strong>{stepOf(step, texts)}</strong>
                  <ul>
                    {steps.map((step) => (
                      <Step key={step.cond} step={step} texts={texts} />
                    ))}
                  </ul>
                </li>
              ))}
              <li>
                <strong>{texts.therefore}</strong> {reasonOf(explanation, texts)}
              </li>
            </ol>
          )}
        </div>
      </details>
    </li>
  );
}

function Value({ value, texts }: { readonly value: unknown; readonly texts: PersonTexts }) {
  if (typeof value === "boolean") {
    return (
      <span className={`chip ${styles.flagValue}`} data-tone={value ? "good" : undefined}>
        {value ? texts.on : texts.off}
      </span>
    );
  }
  return (
    <span className={`mono ${styles.flagValue}`}>
      <bdi>{value === null ? texts.nothing : JSON.stringify(value)}</bdi>
    </span>
  );
}

function reasonOf({ kind, from }: Evaluation["explanation"], texts: PersonTexts): string {
  return texts.reasons[kind]?.(nameOf(from)) ?? `${kind} ${from}`;
}

function stepOf(step: string, texts: PersonTexts): string {
  const [kind = ""] = step.split(":", 1);
  return texts.steps[kind]?.(nameOf(step)) ?? step;
}

function Step({ step, texts }: { readonly step: TraceStep; readonly texts: PersonTexts }) {
  const { cond, got, ok } = step;
  const condition = readCondition(cond);
  const isShown =
    condition.kind === "test" || condition.kind === "serves" || condition.kind === "share";
  return (
    <li className={styles.traceStep} data-ok={ok}>
      <span className={styles.mark} aria-hidden="true">
        {ok ? "✓" : "✗"}
      </span>
      <span>
        {texts.condition(condition)}{" "}
        <span className="note">
          {ok ? texts.met : texts.notMet}
          {isShown && (
            <>
              {" · "}
              <bdi>{got === null ? texts.notGiven : texts.got(JSON.stringify(got))}</bdi>
            </>
          )}
        </span>
      </span>
    </li>
  );
}
