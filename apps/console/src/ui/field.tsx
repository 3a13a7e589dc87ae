import { type InputHTMLAttributes, useId } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Suggestions, also matched by their labels. Any other text may be typed as well. */
  readonly options?:
    | readonly (string | { readonly value: string; readonly label: string })[]
    | undefined;
}

export function Field({ label, hint, error, options, onChange, id: given, ...input }: FieldProps) {
  const own = useId();
  const id = given ?? own;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        required
        dir={input.type === "date" || input.type === "number" ? undefined : "auto"}
        list={options && `${id}-options`}
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {options && (
        <datalist id={`${id}-options`}>
          {options.map((choice) => {
            const { value, label } =
              typeof choice === "string" ? { value: choice, label: undefined } : choice;
            return <option key={value} value={value} label={label} />;
          })}
        </datalist>
      )}
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="failure" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
