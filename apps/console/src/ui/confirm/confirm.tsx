import { Button, Modal } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useLanguage } from "../../language/language-context";
import { FailureText } from "../states";

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
  const { texts } = useLanguage();
  const { typed, onClose, isUndoable } = props;
  const [word, setWord] = useState("");
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isUndoable) form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
  }, [isUndoable]);
  const doing = useMutation({ mutationFn: props.onConfirm, onSuccess: onClose });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    doing.mutate();
  };
  return (
    <form ref={form} className="confirm" onSubmit={submit}>
      <h2>{props.title}</h2>
      {props.children}
      {typed && (
        <div className="field">
          <label htmlFor={id}>{typed.label}</label>
          <input
            id={id}
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            value={word}
            onChange={(event) => setWord(event.target.value)}
          />
        </div>
      )}
      {doing.isError && <FailureText error={doing.error} />}
      <div className="buttons">
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          kind={props.isDangerous ? "danger" : "primary"}
          loading={doing.isPending}
          disabled={typed !== undefined && word.trim() !== typed.word}
        >
          {props.action}
        </Button>
      </div>
    </form>
  );
}
