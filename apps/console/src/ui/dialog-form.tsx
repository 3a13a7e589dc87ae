import { Button } from "@musette/react/ui";
import type { ReactNode, Ref } from "react";
import { useLanguage } from "../language/language-context";
import dialogStyles from "./dialog.module.css";
import { FailureText } from "./states";

interface DialogFormProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly className?: string | undefined;
  /** The label of the button that submits: what it does, never "OK". */
  readonly action: string;
  readonly kind?: "primary" | "danger";
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Why the last try failed. */
  readonly error?: unknown;
  readonly onSubmit: () => unknown;
  readonly onCancel: () => void;
  readonly ref?: Ref<HTMLFormElement>;
}

/** The form inside a dialog: its title, its fields, why it failed, and the buttons. */
export function DialogForm(props: DialogFormProps) {
  const { texts } = useLanguage();
  return (
    <form
      ref={props.ref}
      className={`${dialogStyles.confirm} ${props.className ?? ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
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
          loading={props.isBusy ?? false}
          disabled={props.isDisabled ?? false}
        >
          {props.action}
        </Button>
      </div>
    </form>
  );
}
