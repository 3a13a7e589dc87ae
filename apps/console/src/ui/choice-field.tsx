import { type SelectHTMLAttributes, useId } from "react";

type Option<T> = T | { readonly value: T; readonly label: string };

interface ChoiceFieldProps<T extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value"> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
  readonly hint?: string | undefined;
}

/** A native select with a label. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { label, options, onChange, hint, id: given, ...select } = props;
  const own = useId();
  const id = given ?? own;
  const all = options.map((option) =>
    typeof option === "string" ? { value: option, label: option } : option,
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ target }) => {
          const chosen = all.find(({ value }) => value === target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {all.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
}
