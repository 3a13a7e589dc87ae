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
  /** Of the button that does it: what is done, never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Can be undone at once, so Enter does it: else the way back is what a stray Enter takes. */
  readonly isUndoable?: boolean;
  /** To be typed before it can be done, such as the id of whoever is to be erased. */
  readonly typed?: { readonly label: string; readonly word: string };
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks once more; stays open with the reason when it could not be done. */
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
  return (
    <DialogForm
      ref={form}
      title={props.title}
      action={props.action}
      kind={props.isDangerous ? "danger" : "primary"}
      isBusy={doing.isPending}
      isDisabled={typed !== undefined && word.trim() !== typed.word}
      error={doing.error}
      onSubmit={doing.mutate}
      onCancel={onClose}
    >
      {props.children}
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
