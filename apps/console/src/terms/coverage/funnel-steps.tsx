import { useLanguage } from "../../language/language-context";
import { ShareBar } from "../../ui/share-bar";
import styles from "./coverage.module.css";
import type { Funnel } from "./coverage-query";
import { useCoverageTexts } from "./texts/texts";

/** The first is the total of the others. */
const order = ["shown", "accepted", "declined", "withdrawn", "undecided"] as const;

/** What the riders who were shown the version decided. */
export function FunnelSteps({ funnel }: { readonly funnel: Funnel }) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const unopened = funnel.accepted_unopened;
  return (
    <section className="card">
      <h2>{texts.funnel}</h2>
      <p className="note">{texts.funnelHint}</p>
      {funnel.shown === 0 ? (
        <p className={styles.funnel}>{texts.funnelEmpty}</p>
      ) : (
        <>
          <Steps funnel={funnel} />
          <p className={styles.unopened}>
            {texts.unopened(unopened, unopened.toLocaleString(tag))}
          </p>
        </>
      )}
    </section>
  );
}

function Steps({ funnel }: { readonly funnel: Funnel }) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const percent = new Intl.NumberFormat(tag, { style: "percent" });
  const whole = Math.max(funnel.shown, 1);
  return (
    <ol className={styles.funnel}>
      {order.map((step) => {
        const part = funnel[step] / whole;
        return (
          <li key={step}>
            <span>{texts.steps[step]}</span>
            <span className="note">
              {texts.stepOf(funnel[step].toLocaleString(tag), percent.format(part))}
            </span>
            <ShareBar share={part} />
          </li>
        );
      })}
    </ol>
  );
}
