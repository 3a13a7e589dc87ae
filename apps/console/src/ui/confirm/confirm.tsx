import { Modal } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { DialogForm } from "../dialog-form";
import { Field } from "../field";

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children?: ReactNode;
  /** The label of the confirming button: the action, never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The action can be undone, so the confirming button has the focus; otherwise the cancelling one. */
  readonly isUndoable?: boolean;
  /** A word that must be typed first, such as the id of the person to erase. */
  readonly typed?: { readonly label: string; readonly word: string };
  readonly onConfirm: () => Promise<unknown>;
  /** Explains an error and offers an alternative; undefined for the usual text. */
  readonly explain?: (error: unknown) => ReactNode | undefined;
}

/** Asks for confirmation. If the action fails, the dialog stays open and shows the error. */
export function Confirm(props: ConfirmProps) {
  return (
    <Modal open={props.open} onClose={props.onClose} label={props.title}>
      <ConfirmForm {...props} />
    </Modal>
  );
}

function ConfirmForm(props: ConfirmProps) {
  const { typed, onClose, isUndoable } = props;
  const [word, setWord] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isUndoable) form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
  }, [isUndoable]);
  const doing = useMutation({ mutationFn: props.onConfirm, onSuccess: onClose });
  const explained = doing.error ? props.explain?.(doing.error) : undefined;
  return (
    <DialogForm
      ref={form}
      title={props.title}
      action={props.action}
      kind={props.isDangerous ? "danger" : "primary"}
      isBusy={doing.isPending}
      isDisabled={typed !== undefined && word.trim() !== typed.word}
      error={explained ? undefined : doing.error}
      onSubmit={doing.mutate}
      onCancel={onClose}
    >
      {props.children}
      {explained}
      {typed && (
        <Field
          label={typed.label}
          required={false}
          autoComplete="off"
          spellCheck={false}
          value={word}
          onChange={setWord}
        />
      )}
    </DialogForm>
  );
}
