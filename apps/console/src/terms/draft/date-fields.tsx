import { useState } from "react";
import { timeZone } from "../../language/dates";
import { useMinute } from "../../language/use-day";
import { SkippedTime } from "../../ui/skipped-time";
import { useTermsTexts } from "../texts/texts";
import { Choice } from "./choice";
import { GRACE_DAYS, midnight, NOTICE_DAYS } from "./default-dates";
import { withChanges } from "./draft";
import styles from "./draft.module.css";
import { fieldId } from "./errors";
import type { DraftFields } from "./fields";
import { fromLocal, toLocal } from "./local-instant";

export function DateFields({ body, edit, errorAt }: DraftFields) {
  const draftTexts = useTermsTexts().draft;
  const { effective_from: from, grace_until: until } = body;
  const hasPassed = from !== undefined && new Date(from).getTime() < Date.now();
  const begins = from && !hasPassed ? new Date(from).getTime() : Date.now();
  return (
    <section className={`card ${styles.draftPart}`}>
      <h2>{draftTexts.when}</h2>
      <p className="note">{draftTexts.zone(timeZone())}</p>
      <Choice
        legend={draftTexts.effectiveLegend}
        id={fieldId("/effective")}
        chosen={from === undefined ? "now" : "at"}
        onChoose={(value) =>
          edit((now) =>
            withChanges(now, {
              effective_from: value === "at" ? midnight(NOTICE_DAYS) : undefined,
            }),
          )
        }
        options={[
          { value: "now", label: draftTexts.effectiveAtOnce },
          { value: "at", label: draftTexts.effectiveAt },
        ]}
      />
      {from !== undefined && (
        <InstantField
          label={draftTexts.effectiveField}
          pointer="/effective_from"
          instant={from}
          error={errorAt("/effective_from")}
          note={hasPassed ? draftTexts.passed : undefined}
          onChange={(effective_from) => edit((now) => withChanges(now, { effective_from }))}
        />
      )}
      {body.mandatory && (
        <Choice
          legend={draftTexts.graceLegend}
          id={fieldId("/grace")}
          chosen={until === undefined ? "none" : "until"}
          onChoose={(value) =>
            edit((now) =>
              withChanges(now, {
                grace_until: value === "until" ? midnight(GRACE_DAYS, begins) : undefined,
              }),
            )
          }
          options={[
            { value: "none", label: draftTexts.graceNone },
            { value: "until", label: draftTexts.graceUntil },
          ]}
        />
      )}
      {body.mandatory && until !== undefined && (
        <InstantField
          label={draftTexts.graceField}
          pointer="/grace_until"
          instant={until}
          error={errorAt("/grace_until")}
          onChange={(grace_until) => edit((now) => withChanges(now, { grace_until }))}
        />
      )}
    </section>
  );
}

interface InstantFieldProps {
  readonly label: string;
  readonly pointer: string;
  readonly instant: string;
  readonly error: string | undefined;
  readonly note?: string | undefined;
  readonly onChange: (instant: string) => void;
}

/** A date and time in the operator's time zone, with the same time in UTC below. */
export function InstantField({
  label,
  pointer,
  instant,
  error,
  note,
  onChange,
}: InstantFieldProps) {
  const draftTexts = useTermsTexts().draft;
  const inUtc = useMinute("UTC");
  // Separate from the timestamp, because an incomplete text has none.
  const [local, setLocal] = useState(toLocal(instant));
  const [typed, setTyped] = useState("");
  const [former, setFormer] = useState(instant);
  if (former !== instant) {
    setFormer(instant);
    if (fromLocal(local) !== instant) setLocal(toLocal(instant));
  }
  const id = fieldId(pointer);
  const message = error ?? note;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={local}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setLocal(event.target.value);
          setTyped(event.target.value);
          const typed = fromLocal(event.target.value);
          if (typed) onChange(typed);
        }}
        onBlur={() => setLocal(toLocal(instant))}
      />
      <p id={`${id}-hint`} className="note">
        {draftTexts.utc(inUtc(instant))}
      </p>
      <SkippedTime local={fromLocal(typed) === instant ? typed : ""} />
      {message && (
        <p className={error ? "failure" : "note"} role={error ? "alert" : undefined}>
          {message}
        </p>
      )}
    </div>
  );
}
