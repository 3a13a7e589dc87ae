import styles from "./experiments.module.css";
import type { Metric } from "./results-query";
import { useResultsTexts } from "./texts/texts";

/** The metric's configuration, which determines what counts as better. */
export function MetricFacts({ metric }: { readonly metric: Metric }) {
  const texts = useResultsTexts();
  return (
    <p className={styles.facts} data-part="metric">
      {metric.role && <span className="chip">{texts.roles[metric.role]}</span>}
      <strong>
        <bdi>{metric.title ?? metric.name}</bdi>
      </strong>
      <span>{texts.directions[metric.direction]}</span>
      <span className="note">{metric.declared ? texts.kinds[metric.kind] : texts.undeclared}</span>
    </p>
  );
}
