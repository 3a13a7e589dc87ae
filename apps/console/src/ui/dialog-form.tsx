import { Button } from "@musette/react/ui";
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef } from "react";
import { useLanguage } from "../language/language-context";
import dialogStyles from "./dialog.module.css";
import { FailureText } from "./states";

interface DialogFormProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly className?: string | undefined;
  /** The label of the submitting button: the action, never "OK". */
  readonly action: string;
  readonly kind?: "primary" | "danger";
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Why the last attempt failed. */
  readonly error?: unknown;
  readonly onSubmit: () => unknown;
  readonly onCancel: () => void;
  readonly ref?: Ref<HTMLFormElement>;
}

/** The second press of a double click comes before the form is rendered as busy. */
const DOUBLE_CLICK_MS = 500;

/** The form inside a dialog: its title, its fields, its error, and the buttons. */
export function DialogForm(props: DialogFormProps) {
  const { texts } = useLanguage();
  const { isBusy = false } = props;
  const submitted = useRef<{ readonly form: HTMLFormElement; readonly at: number }>(undefined);
  // Moves the focus to the first field with an error, which may be out of view in a long form.
  useEffect(() => {
    if (isBusy) return;
    submitted.current?.form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    submitted.current = undefined;
  }, [isBusy]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget: form, timeStamp: at } = event;
    if (isBusy || at - (submitted.current?.at ?? -DOUBLE_CLICK_MS) < DOUBLE_CLICK_MS) return;
    submitted.current = { form, at };
    props.onSubmit();
  };
  return (
    <form
      ref={props.ref}
      className={`${dialogStyles.confirm} ${props.className ?? ""}`}
      onSubmit={submit}
    >
      <h2>{props.title}</h2>
      {props.children}
      {props.error != null && <FailureText error={props.error} />}
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={props.onCancel}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          kind={props.kind ?? "primary"}
          loading={isBusy}
          disabled={props.isDisabled ?? false}
        >
          {props.action}
        </Button>
      </div>
    </form>
  );
}
