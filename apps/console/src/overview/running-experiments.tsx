import { Link } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import styles from "./overview.module.css";
import { useOverviewTexts } from "./texts/texts";
import { useRunning } from "./use-product-items";

/** The running experiments of the environment of the last visit. */
export function RunningExperiments() {
  const texts = useOverviewTexts();
  const { env, results } = useRunning(useMay()("flags"));
  if (results.length === 0) return null;
  return (
    <section className="card">
      <h2>
        <Link className={styles.toAll} to="/experiments" search={{ env }}>
          {texts.running}
        </Link>
      </h2>
      <ul className={styles.recent}>
        {results.map(({ experiment: key, units }) => (
          <li key={key}>
            <Link to="/experiments/$key" params={{ key }} search={{ env }} className={styles.toOne}>
              <bdi>{key}</bdi>
            </Link>
            <span className="note">{texts.participants(units)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
