import type { ReactNode } from "react";
import styles from "./draft.module.css";

interface ChoiceProps {
  readonly legend: string;
  readonly id: string;
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
  readonly options: readonly {
    readonly value: string;
    readonly label: ReactNode;
    readonly hint?: string;
  }[];
}

/** A choice between a few options, each with a full description. */
export function Choice({ legend, id, chosen, onChoose, options }: ChoiceProps) {
  return (
    <fieldset className={styles.draftChoice}>
      <legend>{legend}</legend>
      {options.map(({ value, label, hint }, index) => (
        <label key={value} data-chosen={value === chosen || undefined}>
          <input
            type="radio"
            // The target of errors about the whole choice.
            id={index === 0 ? id : undefined}
            name={id}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          <span>
            <span className={styles.choiceTexts}>{label}</span>
            {hint && <span className={`${styles.choiceHint} note`}>{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
