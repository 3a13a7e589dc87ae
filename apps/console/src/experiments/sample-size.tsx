import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Wire } from "../api/wire";
import type { Metric } from "../configuration/document/document";
import { firstErrorText } from "../configuration/drafts/error-text";
import styles from "../configuration/drafts/set-up.module.css";
import type { PartProps } from "../configuration/drafts/set-up-form";
import { goalMetric } from "../configuration/metrics/roles";
import { isolated, useFigures } from "../results/use-figures";
import bannerStyles from "../ui/banner.module.css";
import { PercentField } from "../ui/percent-field";
import type { Draft, ExperimentError } from "./draft";
import { plannedBy, sampleSizeQuery } from "./sample-size-query";
import { useExperimentsTexts } from "./texts/texts";

interface SampleSizePartProps extends PartProps<Draft, ExperimentError> {
  readonly env: string;
}

/** Shows how many people the test needs, and how long it will take, before it starts. */
export function SampleSizePart({ env, document, draft, errors, onChange }: SampleSizePartProps) {
  const { setUp } = useExperimentsTexts();
  const [rate, setRate] = useState(Number.NaN);
  const flag = document.flags.find(({ key }) => key === draft.flag);
  const goal = goalMetric(document, draft);
  const planned = plannedBy(document, flag, draft, rate);
  const size = useQuery(sampleSizeQuery(env, planned));
  const hasValues = size.data?.baseline !== undefined && planned?.rate === undefined;
  return (
    <section className={`card ${styles.formPart}`}>
      <h2>{setUp.sampleSize}</h2>
      <PercentField
        label={setUp.effect}
        hint={setUp.effectHint}
        max={1000}
        value={draft.minimumEffect}
        onChange={(minimumEffect) => onChange({ minimumEffect })}
        error={firstErrorText(errors, setUp.errors)("effect")}
      />
      {goal?.kind === "conversion" && !hasValues && (
        <PercentField label={setUp.rate} hint={setUp.rateHint} value={rate} onChange={setRate} />
      )}
      {planned && goal && size.data ? (
        <Planned size={size.data} unit={draft.unit} goal={goal} effect={draft.minimumEffect} />
      ) : (
        <p className="note">{draft.minimumEffect === 0 ? setUp.noEffect : setUp.sizeUnknown}</p>
      )}
    </section>
  );
}

function Planned(props: {
  readonly size: Wire<"SampleSizeBody">;
  readonly unit: string;
  readonly goal: Metric;
  readonly effect: number;
}) {
  const { size, unit, goal } = props;
  const { setUp } = useExperimentsTexts();
  const figures = useFigures();
  const { baseline, needed, days, comparisons } = size;
  const name = isolated(goal.name ?? goal.key);
  const traffic = setUp.traffic(figures.count(size.people), isolated(unit));
  const value = baseline === undefined ? undefined : figures.mean(goal, 0)(baseline);
  const effect = figures.share(props.effect / 100);
  return (
    <div className={styles.formPart} data-part="sample-size" aria-live="polite">
      {needed === undefined ? (
        <p className={bannerStyles.banner}>{setUp.noValues(name)}</p>
      ) : (
        <p>
          <strong>{setUp.needed(figures.count(needed))}</strong>{" "}
          <strong>{days === undefined ? setUp.tooFew : setUp.days(days)}</strong>
        </p>
      )}
      <ul className="note">
        <li>{traffic}</li>
        {value !== undefined && <li>{setUp.baseline(name, value)}</li>}
        <li>{setUp.power(effect)}</li>
        {comparisons > 1 && <li>{setUp.comparisons(figures.count(comparisons))}</li>}
      </ul>
    </div>
  );
}
