import { useEffect, useId } from "react";
import { toasts } from "../../toast/toasts";
import { useConfigurationTexts } from "../texts/texts";
import styles from "./environment.module.css";
import { useEnvironment } from "./use-environment";

/** Chooses the environment. It is in the header of every page about flags. */
export function EnvironmentSwitch() {
  const texts = useConfigurationTexts();
  const { env, missing, names, choose } = useEnvironment();
  const id = useId();
  useEffect(() => {
    if (missing) toasts.say(texts.notThere(missing, env));
  }, [missing, env, texts]);
  return (
    <div className={styles.environmentSwitch}>
      <label htmlFor={id}>{texts.environment}</label>
      <select
        id={id}
        dir="ltr"
        value={env}
        disabled={names.length === 0}
        onChange={(event) => choose(event.target.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
