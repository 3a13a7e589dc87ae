import { dayAfter } from "../language/days";

/** The values of each series on one day; days without values are left out. */
export interface Day {
  /** As `2026-11-21`, in the time zone of the chart. */
  readonly day: string;
  readonly values: readonly number[];
}

export interface Column {
  readonly from: string;
  /** Equals `from` if a column is one day. */
  readonly to: string;
  readonly values: readonly number[];
}

/** Something that happened on a day, marked by a line. */
export interface Mark {
  /** As `2026-11-21`, in the time zone of the chart. */
  readonly day: string;
  readonly label: string;
}

/** Returns the labels of the marks in a column, without repetitions. */
export const labelsIn = (
  { from, to }: Pick<Column, "from" | "to">,
  marks: readonly Mark[],
): readonly string[] => [
  ...new Set(marks.filter(({ day }) => from <= day && day <= to).map(({ label }) => label)),
];

const DAY_MS = 86_400_000;
/** With more columns than this, a column is a week. Thinner columns could not be tapped on a phone. */
const COLUMNS_MAX = 62;

const startMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Returns the days until `today` without gaps, grouped by week if there are many. */
export function columnsOf(days: readonly Day[], today: string, count: number): readonly Column[] {
  const step = count > COLUMNS_MAX ? 7 : 1;
  const columns = Math.ceil(count / step);
  const first = startMs(today) - (columns * step - 1) * DAY_MS;
  const series = days[0]?.values.length ?? 0;
  const sums = Array.from({ length: columns }, () => new Array<number>(series).fill(0));
  for (const { day, values } of days) {
    const sum = sums[Math.floor((startMs(day) - first) / DAY_MS / step)];
    if (sum) for (const [index, value] of values.entries()) sum[index] = (sum[index] ?? 0) + value;
  }
  return sums.map((values, index) => {
    const from = dayAfter(today, 1 - (columns - index) * step);
    return { from, to: dayAfter(from, step - 1), values };
  });
}

/** Rounds up to a number that is easy to read on an axis, and so is its half. */
export function roundUpForAxis(value: number): number {
  const power = Math.max(10 ** Math.floor(Math.log10(Math.max(value, 1))), 1);
  return power * (steps.find((step) => power * step >= value) ?? 10);
}

const steps = [2, 4, 6, 8, 10] as const;

export const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
