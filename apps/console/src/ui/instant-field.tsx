import { useState } from "react";
import { fromLocal, toLocal } from "./local-time";
import { SkippedTime } from "./skipped-time";

/** A date and time field in the browser's time zone; its caller shows the zone's name. */
export function InstantField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (instant: string) => void;
  readonly isInvalid?: boolean;
}) {
  const [typed, setTyped] = useState("");
  const isOfTyped = fromLocal(typed) === props.value;
  return (
    <>
      <input
        type="datetime-local"
        aria-label={props.label}
        aria-invalid={props.isInvalid || undefined}
        value={toLocal(props.value)}
        onChange={(event) => {
          setTyped(event.target.value);
          props.onChange(fromLocal(event.target.value));
        }}
      />
      <SkippedTime local={isOfTyped ? typed : ""} />
    </>
  );
}
