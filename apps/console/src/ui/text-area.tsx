import { useId } from "react";

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly rows?: number;
  readonly lang?: string | undefined;
  readonly maxLength?: number;
}

/** A text field with paragraphs. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, error, onChange, rows = 3, maxLength = 4000, ...area } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...area}
        id={id}
        dir="auto"
        rows={rows}
        maxLength={maxLength}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
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
