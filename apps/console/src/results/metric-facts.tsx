import styles from "./experiments.module.css";
import type { Metric } from "./results-query";
import { useResultsTexts } from "./texts/texts";

/** The metric's configuration, which determines what counts as better. */
export function MetricFacts({ metric }: { readonly metric: Metric }) {
  const words = useResultsTexts();
  return (
    <p className={styles.facts} data-part="metric">
      {metric.role && <span className="chip">{words.roles[metric.role]}</span>}
      <strong>
        <bdi>{metric.title ?? metric.name}</bdi>
      </strong>
      <span>{words.directions[metric.direction]}</span>
      <span className="note">{metric.declared ? words.kinds[metric.kind] : words.undeclared}</span>
    </p>
  );
}
