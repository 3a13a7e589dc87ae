const two = (number: number) => String(number).padStart(2, "0");

/** As an input of a date and a time has it: the clock of this browser's time zone. */
export function toLocal(instant: string | undefined): string {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Undefined while it is not typed whole. A time that the clock skips in spring is the one after it. */
export function fromLocal(local: string): string | undefined {
  const at = new Date(local);
  return local.includes("T") && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
