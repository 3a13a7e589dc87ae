import { isOffline } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { type FormEvent, useEffect, useId, useReducer, useRef, useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { type Claim, claimedFigures, MESSAGE_MAX, MESSAGE_MIN, messageLength } from "./claim";
import type { ContestBody } from "./contest-queue";
import { type ContestState, type EvaluationDetail, zoneName } from "./evaluation";
import { TimeRows } from "./evaluation-item";

interface Props {
  readonly evaluation: EvaluationDetail;
  readonly state: ContestState;
  readonly claim: Claim;
  readonly sending: boolean;
  readonly onChange: (claim: Claim) => void;
  readonly onSend: (body: ContestBody) => void;
}

/** The form of a contest: the objection, and the right times if the rider wants to state them. */
export function ContestForm(props: Props) {
  const { texts } = usePageLanguage();
  const { work } = texts;
  const { evaluation, claim, state } = props;
  const [isChecked, setIsChecked] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const ids = { message: useId(), hint: useId(), error: useId() };
  const isTooShort = messageLength(claim.message) < MESSAGE_MIN;
  const isTooLong = messageLength(claim.message) > MESSAGE_MAX;
  const isInvalid = isChecked && (isTooShort || isTooLong);

  function send(event: FormEvent): void {
    event.preventDefault();
    setIsChecked(true);
    if (isTooShort || isTooLong) {
      field.current?.focus();
      return;
    }
    const figures = claimedFigures(evaluation, claim);
    props.onSend({
      version: evaluation.version,
      message: claim.message.trim(),
      ...(figures && { figures }),
    });
  }

  if (state === "discussed" || state === "rounds" || state === "undecided") {
    const closed = {
      discussed: work.discussed,
      rounds: work.roundsUsed,
      undecided: work.undecided,
    };
    return <p className="card">{closed[state]}</p>;
  }
  return (
    <form className="work-form" onSubmit={send} noValidate>
      <dl className="card work-facts">
        <TimeRows evaluation={evaluation} />
      </dl>
      <label htmlFor={ids.message}>{work.wrong}</label>
      <p id={ids.hint} className="note">
        {work.wrongHint}
      </p>
      {isInvalid && (
        <p id={ids.error} className="failure" role="alert">
          {isTooShort ? work.tooShort : work.tooLong}
        </p>
      )}
      <textarea
        ref={field}
        id={ids.message}
        rows={6}
        dir="auto"
        required
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? `${ids.error} ${ids.hint}` : ids.hint}
        value={claim.message}
        onChange={(event) => props.onChange({ ...claim, message: event.target.value })}
      />
      <RightTimes {...props} />
      <p>{work.stays}</p>
      <LateWarning until={evaluation.contest_until ?? evaluation.finalised_at} />
      <div className="ways">
        <Button type="submit" loading={props.sending}>
          {work.sendContest}
        </Button>
      </div>
    </form>
  );
}

function RightTimes({ evaluation, claim, onChange }: Props) {
  const { language, texts } = usePageLanguage();
  const { work } = texts;
  const { kind, ends_at, starts_at } = evaluation.subject;
  const ids = { start: useId(), end: useId(), minutes: useId() };
  const hasTimes = kind !== "period";
  const time = (name: "start" | "end", label: string) => (
    <div>
      <label htmlFor={ids[name]}>{label}</label>
      <input
        id={ids[name]}
        type="time"
        value={claim[name]}
        onChange={(event) => onChange({ ...claim, [name]: event.target.value })}
      />
    </div>
  );
  return (
    <fieldset>
      <legend>{work.rightTimes}</legend>
      {hasTimes && time("start", work.startedAt)}
      {hasTimes && ends_at && time("end", work.finishedAt)}
      <div>
        <label htmlFor={ids.minutes}>{work.workedMinutes}</label>
        <input
          id={ids.minutes}
          inputMode="numeric"
          maxLength={5}
          value={claim.minutes}
          onChange={(event) =>
            onChange({ ...claim, minutes: event.target.value.replace(/\D/g, "") })
          }
        />
      </div>
      {hasTimes && <p className="note">{work.zone(zoneName(language.tag, new Date(starts_at)))}</p>}
    </fieldset>
  );
}

/** Warns that a contest counts when it arrives, before one is stored that will be late. */
function LateWarning({ until }: { readonly until: string | null | undefined }) {
  const { language, texts } = usePageLanguage();
  const [, update] = useReducer((round: number) => round + 1, 0);
  useEffect(() => {
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  if (!until) return null;
  const at = dateAndTime(language.tag, until);
  const isLate = Date.now() > Date.parse(until);
  const text = isLate ? texts.work.late(at) : isOffline() && texts.work.offline(at);
  return (
    <div className="work-live" role="status">
      {text && <p className={isLate ? "failure" : "work-warning"}>{text}</p>}
    </div>
  );
}
