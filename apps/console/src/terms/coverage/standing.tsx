import { dateLocale } from "../../language/date-locale";
import { useLanguage } from "../../language/language-context";
import { useDay } from "../../language/use-day";
import { ShareBar } from "../../ui/share-bar";
import stateStyles from "../../ui/state.module.css";
import styles from "./coverage.module.css";
import type { Coverage } from "./coverage-query";
import { useCoverageTexts } from "./texts/texts";

/** The numbers, and their share of all riders. */
export function Standing({ coverage }: { readonly coverage: Coverage }) {
  const texts = useCoverageTexts();
  const day = useDay();
  const { tag } = useLanguage().language;
  const { riders, riders_accepted: agreed, riders_outstanding } = coverage;
  const part = agreed / Math.max(riders, 1);
  const count = (value: number) => value.toLocaleString(tag);
  const percent = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(dateLocale(tag), { timeStyle: "medium" });
  const numbers = [
    { name: texts.accepted, value: coverage.accepted, tone: "good" },
    { name: texts.outstanding, value: riders_outstanding, tone: "warning" },
    { name: texts.refused, value: coverage.refused, tone: "bad" },
    { name: texts.withdrawn, value: coverage.withdrawn, tone: "bad" },
  ];
  return (
    <section className={`card ${styles.standing}`}>
      <h2>{coverage.as_of ? texts.standingAt(day(coverage.as_of)) : texts.standing}</h2>
      <dl>
        {numbers.map(({ name, value, tone }) => (
          <div key={name} data-tone={tone}>
            <dt>{name}</dt>
            <dd className={stateStyles.figure}>{count(value)}</dd>
          </div>
        ))}
      </dl>
      {riders === 0 ? (
        <p>{texts.noRiders}</p>
      ) : (
        <>
          <p>{texts.ofRiders(count(agreed), count(riders), percent.format(part))}</p>
          <ShareBar share={part} />
        </>
      )}
      <p className="note">
        {texts.applicants} {coverage.as_of && `${texts.asOfRiders} `}
        {texts.counted(time.format(new Date(coverage.counted_at)))}
      </p>
    </section>
  );
}
