import { Button } from "@musette/react/ui";
import { useEffect, useId, useState } from "react";
import { dayOf, endOfDay } from "../../language/days";
import styles from "./as-of.module.css";

interface AsOfFieldProps {
  readonly day: string | undefined;
  readonly onChange: (day: string | undefined) => void;
  readonly texts: { readonly asOf: string; readonly asOfHint: string; readonly now: string };
}

/** A field for the day to show. It reports a change once the day is complete. */
export function AsOfField({ day, onChange, texts }: AsOfFieldProps) {
  const id = useId();
  // Typing digit by digit produces incomplete days.
  const [typed, setTyped] = useState(day ?? "");
  useEffect(() => setTyped(day ?? ""), [day]);
  return (
    <div className={styles.asOf} data-filter="wide">
      <div className="field">
        <label htmlFor={id}>{texts.asOf}</label>
        <input
          id={id}
          type="date"
          max={dayOf(new Date())}
          value={typed}
          aria-describedby={`${id}-hint`}
          onChange={({ target: { value } }) => {
            setTyped(value);
            if (value === "" || endOfDay(value)) onChange(value || undefined);
          }}
        />
      </div>
      {day && (
        <Button kind="secondary" onClick={() => onChange(undefined)}>
          {texts.now}
        </Button>
      )}
      <p id={`${id}-hint`} className="note">
        {texts.asOfHint}
      </p>
    </div>
  );
}
