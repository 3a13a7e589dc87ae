import { dayOf } from "../language/days";

const two = (number: number) => String(number).padStart(2, "0");

/** The value of an `<input type="datetime-local">`, in the browser's time zone. */
export function toLocal(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.valueOf())) return "";
  return `${dayOf(at)}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function fromLocal(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.valueOf()) ? "" : at.toISOString();
}
