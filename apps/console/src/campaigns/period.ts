/** The units of a step's time. `other` is a duration with several units, as text. */
export const UNITS = ["D", "W", "H", "M"] as const;
export type Unit = (typeof UNITS)[number] | "other";

export interface Period {
  /** A number, or the text of the whole duration for `other`. */
  readonly amount: string;
  readonly unit: Unit;
}

const DAY_MS = 86_400_000;
const UNIT_MS = { W: 7 * DAY_MS, D: DAY_MS, H: 3_600_000, M: 60_000, S: 1000 } as const;
const SINGLE = /^P(?:(\d{1,9})([WD])|T(\d{1,9})([HM]))$/;
const ANY =
  /^P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** Reads a duration of ISO 8601, such as `P30D`. */
export function periodOf(text: string): Period {
  const [, days, dayUnit, hours, hourUnit] = SINGLE.exec(text) ?? [];
  const unit = (dayUnit ?? hourUnit) as Unit | undefined;
  return unit ? { amount: days ?? hours ?? "", unit } : { amount: text, unit: "other" };
}

/** Writes a duration of ISO 8601. The server checks it. */
export function periodText({ amount, unit }: Period): string {
  const trimmed = amount.trim();
  if (unit === "other") return trimmed;
  return unit === "H" || unit === "M" ? `PT${trimmed}${unit}` : `P${trimmed}${unit}`;
}

/** Returns the length of a duration; undefined if it is none. */
export function periodMs(text: string): number | undefined {
  const match = ANY.exec(text);
  if (!match || text === "P") return undefined;
  const [, weeks, days, , hours, minutes, seconds] = match;
  const parts = [
    [weeks, UNIT_MS.W],
    [days, UNIT_MS.D],
    [hours, UNIT_MS.H],
    [minutes, UNIT_MS.M],
    [seconds, UNIT_MS.S],
  ] as const;
  return parts.reduce((sum, [count, ms]) => sum + Number(count ?? 0) * ms, 0);
}
