import { Modal } from "@musette/react/ui";
import { useState } from "react";
import { useLanguage } from "../language/language-context";
import { toasts } from "../toast/toasts";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { TextArea } from "../ui/text-area";
import { FiguresFields, figuresOf, typedOf } from "./figures-fields";
import { type EvaluationDetail, lengthOf, MESSAGE_MIN, type Transition } from "./model";
import { ProblemText, problemCode } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";
import { useTransition } from "./use-transition";

export type TransitionKind = "evaluate" | "noShow" | "reject" | "discuss";

const TARGETS = {
  evaluate: "EVALUATED",
  noShow: "NO_SHOW",
  reject: "REJECTED",
  discuss: "IN_DISCUSSION",
} as const;

interface Props {
  readonly kind: TransitionKind;
  readonly evaluation: EvaluationDetail;
  readonly onClose: () => void;
}

/** Asks for what a transition needs: figures, a reason, a statement or a message. */
export function TransitionDialog(props: Props) {
  const texts = useEvaluationsTexts();
  return (
    <Modal open onClose={props.onClose} label={texts.transitions[props.kind]}>
      <TransitionForm {...props} />
    </Modal>
  );
}

function TransitionForm({ kind, evaluation, onClose }: Props) {
  const texts = useEvaluationsTexts();
  const { tag } = useLanguage().language;
  const [typed, setTyped] = useState(() => typedOf(evaluation.figures));
  const [code, setCode] = useState("");
  const [reason, setReason] = useState("");
  const [text, setText] = useState("");
  const making = useTransition(evaluation, () => {
    toasts.say(texts.saved);
    onClose();
  });
  const isKnown = problemCode(making.error) !== undefined;
  const figures = figuresOf(typed);
  const isReason = /^[a-z][a-z0-9_]{0,63}$/.test(code) && reason.trim() !== "";
  const hasReason = isReason || evaluation.reasons.length > 0;
  const isLong = lengthOf(text) >= MESSAGE_MIN;
  const isReady = {
    evaluate: figures !== undefined || hasReason,
    noShow: isReason,
    reject: hasReason && isLong,
    discuss: isLong,
  }[kind];

  function change(): Omit<Transition, "version"> {
    return {
      to: TARGETS[kind],
      ...(kind === "evaluate" && figures && { figures }),
      ...(kind !== "discuss" &&
        isReason && { reasons: [{ code, text: { [tag]: reason.trim() } }] }),
      ...(kind === "reject" && { statement: text.trim() }),
      ...(kind === "discuss" && { message: text.trim() }),
    };
  }

  return (
    <DialogForm
      title={texts.transitions[kind]}
      action={texts.transitions[kind]}
      kind={kind === "reject" ? "danger" : "primary"}
      isBusy={making.isPending}
      isDisabled={!isReady}
      error={isKnown ? undefined : making.error}
      onSubmit={() => making.mutate(change())}
      onCancel={onClose}
    >
      <p>{texts.transitionHints[kind]}</p>
      {isKnown && <ProblemText error={making.error} />}
      {kind === "evaluate" && <FiguresFields typed={typed} onChange={setTyped} />}
      {kind !== "discuss" && (
        <>
          <Field
            label={texts.reasonCode}
            hint={texts.reasonCodeHint}
            required={false}
            dir="ltr"
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={setCode}
          />
          <Field
            label={texts.reasonText}
            hint={texts.reasonTextHint}
            required={false}
            maxLength={1000}
            value={reason}
            onChange={setReason}
          />
        </>
      )}
      {(kind === "reject" || kind === "discuss") && (
        <TextArea
          label={kind === "reject" ? texts.statement : texts.messageToRider}
          hint={texts.messageHint}
          value={text}
          onChange={setText}
        />
      )}
    </DialogForm>
  );
}
