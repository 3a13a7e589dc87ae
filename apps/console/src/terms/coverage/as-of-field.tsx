import { Button } from "@musette/react/ui";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import { dayOf, endOfDay } from "./as-of";
import styles from "./coverage.module.css";
import { useCoverageTexts } from "./texts/texts";

/** The day whose state is shown; it goes into the address as soon as it is a whole one. */
export function AsOfField({ day }: { readonly day: string | undefined }) {
  const words = useCoverageTexts();
  const navigate = useNavigate({ from: "/terms/$termId/coverage" });
  const id = useId();
  // What is typed digit by digit is no day yet.
  const [typed, setTyped] = useState(day ?? "");
  useEffect(() => setTyped(day ?? ""), [day]);
  const go = (next: string | undefined) =>
    void navigate({
      search: ({ as_of: _former, ...others }) => ({ ...others, ...(next && { as_of: next }) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={styles.asOf}>
      <div className="field">
        <label htmlFor={id}>{words.asOf}</label>
        <input
          id={id}
          type="date"
          max={dayOf(new Date())}
          value={typed}
          aria-describedby={`${id}-hint`}
          onChange={({ target: { value } }) => {
            setTyped(value);
            if (value === "" || endOfDay(value)) go(value || undefined);
          }}
        />
      </div>
      {day && (
        <Button kind="secondary" onClick={() => go(undefined)}>
          {words.now}
        </Button>
      )}
      <p id={`${id}-hint`} className="note">
        {words.asOfHint}
      </p>
    </div>
  );
}
