import { useId, useState } from "react";
import styles from "./fields.module.css";

interface PercentFieldProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly isSlider?: boolean;
  readonly max?: number;
}

/** A number field that keeps the typed text; `value` is NaN while the text is not a number. */
export function PercentField(props: PercentFieldProps) {
  const { label, value, onChange, hint, error, max = 100 } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={`field ${styles.percentField}`}>
      <label htmlFor={id}>{label}</label>
      <div>
        {props.isSlider && (
          <input
            type="range"
            aria-label={label}
            min="0"
            max={max}
            step="1"
            value={Number.isNaN(value) ? 0 : value}
            onChange={({ target }) => onChange(target.valueAsNumber)}
          />
        )}
        <input
          id={id}
          type="number"
          inputMode="decimal"
          min="0"
          max={max}
          step="0.001"
          value={typed ?? (Number.isNaN(value) ? "" : value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(target.value === "" ? Number.NaN : target.valueAsNumber);
          }}
          onBlur={() => setTyped(undefined)}
        />
      </div>
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="failure">
          {error}
        </p>
      )}
    </div>
  );
}
