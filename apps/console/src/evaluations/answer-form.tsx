import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { meQuery } from "../api/me";
import { useShortcut } from "../keyboard/use-shortcut";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { TextArea } from "../ui/text-area";
import { withoutOthers } from "./assignment";
import { assignmentsQuery } from "./assignments-queries";
import styles from "./evaluations.module.css";
import { FiguresFields, figuresOf, type TypedFigures, typedOf } from "./figures-fields";
import {
  type Discussion,
  type EvaluationDetail,
  following,
  isFinalAfterAnswer,
  lengthOf,
  MESSAGE_MIN,
  type Outcome,
  outcomesOf,
} from "./model";
import { ProblemText } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";
import type { AssignmentState } from "./use-assignment";
import { useEvaluationPages } from "./use-queue";
import { useTransition } from "./use-transition";

interface Props {
  readonly evaluation: EvaluationDetail;
  readonly discussion: Discussion;
  readonly assignment: AssignmentState;
}

/**
 * Answers a discussion: the outcome, the figures if they change, and the message to the rider. The
 * first input assigns the discussion. While another reviewer works on it, nothing can be sent.
 */
export function AnswerForm({ evaluation, discussion, assignment }: Props) {
  const texts = useEvaluationsTexts();
  const openNext = useOpenNext(evaluation.id);
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();
  const [typed, setTyped] = useState<TypedFigures>();
  const [message, setMessage] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isTooShort = lengthOf(message) < MESSAGE_MIN;
  const sending = useTransition(evaluation, () => {
    toasts.say(texts.answered);
    openNext();
  });
  useShortcut({
    key: "a",
    label: texts.answer,
    run: () => form.current?.querySelector<HTMLElement>("input")?.focus(),
  });

  const isHeld = assignment.holder.kind === "other";

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isHeld) return;
    setChecked(true);
    const missing = outcome === undefined ? "input" : isTooShort ? "textarea" : undefined;
    if (missing) form.current?.querySelector<HTMLElement>(missing)?.focus();
    else setAsking(true);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  }

  const figures = typed && figuresOf(typed);
  return (
    <>
      <form
        ref={form}
        className={`card ${styles.section}`}
        noValidate
        onSubmit={submit}
        onKeyDown={onKeyDown}
        onChange={assignment.takeIfFree}
      >
        <h2>{texts.answer}</h2>
        <Outcomes discussion={discussion} value={outcome} onChange={setOutcome} />
        {isChecked && outcome === undefined && (
          <p className="failure" role="alert">
            {texts.chooseOutcome}
          </p>
        )}
        <details
          className={styles.fold}
          onToggle={({ currentTarget }) =>
            setTyped(currentTarget.open ? (typed ?? typedOf(evaluation.figures)) : undefined)
          }
        >
          <summary>{texts.changeFigures}</summary>
          {typed && (
            <>
              {discussion.figures && (
                <Button
                  kind="secondary"
                  onClick={() => setTyped({ ...typed, ...typedOf(discussion.figures) })}
                >
                  {texts.takeClaimed}
                </Button>
              )}
              <FiguresFields typed={typed} onChange={setTyped} />
            </>
          )}
        </details>
        <TextArea
          label={texts.messageToRider}
          hint={texts.messageHint}
          error={isChecked && isTooShort ? texts.problems.message_too_short : undefined}
          rows={5}
          value={message}
          onChange={setMessage}
        />
        <ProblemText error={sending.error} />
        <Button type="submit" className={styles.start} disabled={isHeld}>
          {texts.sendAnswer}
        </Button>
      </form>
      {/* A form inside a form is not valid, so the dialog is beside it. */}
      {outcome && (
        <Confirm
          open={isAsking}
          onClose={() => setAsking(false)}
          title={texts.sendAnswer}
          action={texts.sendAnswer}
          isUndoable
          explain={(error) => <ProblemText error={error} />}
          onConfirm={() =>
            sending.mutateAsync({
              to: outcome,
              message: message.trim(),
              ...(figures && { figures }),
            })
          }
        >
          <p>
            <strong>{texts.statuses[outcome]}</strong> {texts.consequences[outcome]}
          </p>
          <p>{isFinalAfterAnswer(discussion) ? texts.finalAtOnce : texts.contestAgain}</p>
          <p className={styles.message} dir="auto">
            {message.trim()}
          </p>
        </Confirm>
      )}
    </>
  );
}

function Outcomes(props: {
  readonly discussion: Discussion;
  readonly value: Outcome | undefined;
  readonly onChange: (status: Outcome) => void;
}) {
  const texts = useEvaluationsTexts();
  const { contested } = props.discussion;
  return (
    <fieldset className={styles.outcomes}>
      <legend>{texts.outcome}</legend>
      {outcomesOf(props.discussion).map((status) => (
        <label key={status}>
          <input
            type="radio"
            name="outcome"
            value={status}
            checked={props.value === status}
            onChange={() => props.onChange(status)}
          />
          <span>
            <strong>
              {texts.statuses[status]}
              {status === contested && ` (${texts.unchanged})`}
            </strong>
            <small className="note">{texts.consequences[status]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/**
 * Returns a function that opens the next discussion of the list that no other reviewer works on, or
 * the list if none is left.
 */
function useOpenNext(id: string): () => void {
  const navigate = useNavigate();
  const search = useSearch({ from: "/inside/evaluations/$evaluationId" });
  const list = useEvaluationPages(search).data?.pages.flatMap(({ items }) => items) ?? [];
  const me = useQuery(meQuery).data?.user_id;
  const assignments = useQuery(assignmentsQuery).data ?? [];
  const next = following(withoutOthers(list, assignments, me, new Date()), id);
  return () => {
    if (!next) return void navigate({ to: "/evaluations", search });
    void navigate({ to: "/evaluations/$evaluationId", params: { evaluationId: next.id }, search });
  };
}
