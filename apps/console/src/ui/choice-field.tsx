import { useId } from "react";

interface ChoiceFieldProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly words: string }[];
  readonly onChange: (value: T) => void;
  readonly hint?: string;
}

export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        value={props.value}
        aria-describedby={props.hint && `${id}-hint`}
        onChange={({ target }) => {
          const chosen = props.options.find(({ value }) => value === target.value);
          if (chosen) props.onChange(chosen.value);
        }}
      >
        {props.options.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      {props.hint && (
        <p id={`${id}-hint`} className="note">
          {props.hint}
        </p>
      )}
    </div>
  );
}
