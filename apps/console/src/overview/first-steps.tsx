import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { readStored, writeStored } from "../storage/storage";
import quietStyles from "../ui/quiet-button.module.css";
import stateStyles from "../ui/state.module.css";
import styles from "./overview.module.css";
import { overviewQuery } from "./overview-queries";

const HIDDEN = "musette.console.first-steps";

/** The steps in order, each with its page and the task that it needs permission for. */
const STEPS = [
  ["admin", "/settings/users", "company"],
  ["term", "/terms", "terms"],
  ["environment", "/settings/environments", "company"],
  ["flag_key", "/settings/keys", "flags"],
  ["code_delivery", "/settings/sign-in", "company"],
  ["backup", "/settings/about", "company"],
] as const;

/** The steps that set up a new server; hidden when all are complete. */
export function FirstSteps() {
  const { texts } = useLanguage();
  const firstStepsTexts = texts.overview.firstSteps;
  const written = useInstant();
  const [isHidden, setHidden] = useState(() => readStored(HIDDEN) !== undefined);
  const steps = useQuery(overviewQuery).data?.first_steps;
  const may = useMay();
  if (!steps || isHidden) return null;
  const backup = steps.last_backup_at;
  const completed = { ...steps, backup: backup !== undefined };
  const permitted = STEPS.filter(([, , task]) => may(task));
  if (permitted.every(([step]) => completed[step])) return null;
  const hide = () => {
    writeStored(HIDDEN, "yes");
    setHidden(true);
  };
  return (
    <section className="card" aria-labelledby="first-steps">
      <div className={styles.stepsHead}>
        <h2 id="first-steps">{firstStepsTexts.title}</h2>
        <button type="button" className={quietStyles.quiet} onClick={hide}>
          {firstStepsTexts.hide}
        </button>
      </div>
      <ul className={styles.steps}>
        {permitted.map(([step, to]) => (
          <li key={step}>
            <span className={stateStyles.state} data-state={completed[step] ? "good" : "warning"}>
              <span className="mu-hidden">
                {completed[step] ? firstStepsTexts.done : firstStepsTexts.open}:{" "}
              </span>
              <Link to={to} className={styles.toOne}>
                {firstStepsTexts.steps[step]}
              </Link>
            </span>
            <span className="note">
              {step === "backup" && backup
                ? firstStepsTexts.lastBackup(written(backup))
                : firstStepsTexts.hints[step]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
