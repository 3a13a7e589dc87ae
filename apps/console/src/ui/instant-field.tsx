const two = (number: number) => String(number).padStart(2, "0");

/** The value of an `<input type="datetime-local">`, in the browser's time zone. */
export function toLocal(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.valueOf())) return "";
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function fromLocal(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.valueOf()) ? "" : at.toISOString();
}

/** A date and time field in the browser's time zone; its caller shows the zone's name. */
export function InstantField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (instant: string) => void;
  readonly isInvalid?: boolean;
}) {
  return (
    <input
      type="datetime-local"
      aria-label={props.label}
      aria-invalid={props.isInvalid || undefined}
      value={toLocal(props.value)}
      onChange={(event) => props.onChange(fromLocal(event.target.value))}
    />
  );
}
