import { useEffect, useState } from "react";
import { Field } from "../ui/field";
import { MONTH } from "./report-search";

interface MonthFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (month: string) => void;
}

/**
 * A month. Some browsers show a text field: its text is kept while it is typed, and counts once it is
 * a month.
 */
export function MonthField({ label, value, onChange }: MonthFieldProps) {
  const [typed, setTyped] = useState(value);
  // For a change from elsewhere, such as the browser's back button.
  useEffect(() => setTyped(value), [value]);
  return (
    <Field
      label={label}
      type="month"
      placeholder="2026-01"
      value={typed}
      onChange={(month) => {
        setTyped(month);
        if (MONTH.test(month)) onChange(month);
      }}
      onBlur={() => setTyped(value)}
    />
  );
}
