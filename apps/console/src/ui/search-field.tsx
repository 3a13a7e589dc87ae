import { useEffect, useId, useState } from "react";

interface SearchFieldProps {
  readonly label: string;
  /** The value in the address. */
  readonly value: string;
  /** Called with the text, without surrounding spaces. */
  readonly onChange: (sought: string) => void;
}

/**
 * A field whose text updates the address with each letter. Trailing spaces remain only in the
 * field, because the next word is typed after them.
 */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped((former) => (former.trim() === value ? former : value)), [value]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        dir="auto"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(target.value.trim());
        }}
      />
    </div>
  );
}
