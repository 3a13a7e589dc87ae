import { dateFormat } from "../../language/date-format";
import { useLanguage } from "../../language/language-context";
import { useDay } from "../../language/use-day";
import { ShareBar } from "../../ui/share-bar";
import stateStyles from "../../ui/state.module.css";
import type { PublishedTerm } from "../terms-query";
import styles from "./coverage.module.css";
import type { Coverage } from "./coverage-query";
import { isInUse, isScheduled } from "./phase";
import { useCoverageTexts } from "./texts/texts";

interface StandingProps {
  readonly term: PublishedTerm;
  readonly coverage: Coverage;
}

/** The riders by their latest decision, and the share that accepted. */
export function Standing({ term, coverage }: StandingProps) {
  const texts = useCoverageTexts();
  const day = useDay();
  const { tag } = useLanguage().language;
  const count = (value: number) => value.toLocaleString(tag);
  const time = dateFormat(tag, "clockSecond");
  const { accepted, declined, withdrawn } = coverage.others;
  const others = accepted + declined + withdrawn;
  const decided = coverage.riders - coverage.riders_pending;
  const isEarly = isScheduled(term, coverage);
  return (
    <section className={`card ${styles.standing}`}>
      <h2>{coverage.as_of ? texts.standingAt(day(coverage.as_of)) : texts.standing}</h2>
      {isEarly && (
        <p>
          {texts.takesEffect(day(term.effective_from))}{" "}
          {isInUse(term) && texts.willBeAsked(coverage.riders, count(coverage.riders))}
        </p>
      )}
      {(!isEarly || decided > 0) && <Numbers term={term} coverage={coverage} />}
      {!isEarly && <Rate term={term} coverage={coverage} />}
      {others > 0 && (
        <p>
          {texts.others(count(others))}{" "}
          {texts.othersDecided(count(accepted), count(declined), count(withdrawn))}
        </p>
      )}
      <p className="note">
        {coverage.as_of && `${texts.asOfRiders} `}
        {texts.counted(time.format(new Date(coverage.counted_at)))}
      </p>
    </section>
  );
}

function Numbers({ term, coverage }: StandingProps) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const open = term.mandatory
    ? { name: texts.pending, tone: "warning" }
    : { name: texts.undecided, tone: "none" };
  const numbers = [
    { name: texts.accepted, value: coverage.riders_accepted, tone: "good" },
    { name: texts.declined, value: coverage.riders_declined, tone: "bad" },
    { name: texts.withdrawn, value: coverage.riders_withdrawn, tone: "bad" },
    // A version that is not in use asks no one.
    ...(isInUse(term) ? [{ ...open, value: coverage.riders_pending }] : []),
  ];
  return (
    <dl>
      {numbers.map(({ name, value, tone }) => (
        <div key={name} data-tone={tone}>
          <dt>{name}</dt>
          <dd className={stateStyles.figure}>{value.toLocaleString(tag)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The share of riders that accepted. A version that is not in use any more has no rate. */
function Rate({ term, coverage }: StandingProps) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const { riders, riders_accepted: agreed } = coverage;
  const percent = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 });
  const share = agreed / Math.max(riders, 1);
  if (!isInUse(term)) return <p>{texts.overHint}</p>;
  if (riders === 0) return <p>{texts.noRiders}</p>;
  const written = [agreed, riders].map((value) => value.toLocaleString(tag));
  return (
    <>
      <p>{texts.ofRiders(written[0] ?? "", written[1] ?? "", percent.format(share))}</p>
      <ShareBar share={share} />
    </>
  );
}
