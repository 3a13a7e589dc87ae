import { type InputHTMLAttributes, useId } from "react";

interface SubmittedFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An uncontrolled field of a filter: applied on blur and on submit, so not for half a word. */
export function SubmittedField({ label, value, onChange, ...input }: SubmittedFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={value}
        onBlur={({ target }) => target.value.trim() !== value && onChange(target.value.trim())}
      />
    </div>
  );
}
