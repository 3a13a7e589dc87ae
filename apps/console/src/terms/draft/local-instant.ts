import { dayOf } from "../../language/days";

const two = (number: number) => String(number).padStart(2, "0");

/** Returns the value for a date and time input, in this browser's time zone. */
export function toLocal(instant: string | undefined): string {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return `${dayOf(at)}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * Returns the timestamp; undefined while the text is incomplete. A time that is skipped in spring
 * becomes the one after it.
 */
export function fromLocal(local: string): string | undefined {
  const at = new Date(local);
  return local.includes("T") && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
