import { useEffect, useId, useState } from "react";

interface SearchFieldProps {
  readonly label: string;
  /** What the address says. */
  readonly value: string;
  /** Without the spaces around it. */
  readonly onChange: (sought: string) => void;
}

/** A text that goes into the address with each letter. A space at its end does not: the next word is typed behind it. */
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
