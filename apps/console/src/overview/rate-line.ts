interface Day {
  /** As `2026-11-21`, in UTC. */
  readonly day: string;
  readonly riders_accepted: number;
}

const DAY_MS = 86_400_000;

/**
 * Returns the acceptance rate at the end of each of the last days, oldest first: those whose latest
 * decision of that day or an earlier one is an acceptance.
 */
export function rateLine(
  byDay: readonly Day[],
  { riders, accepted }: { readonly riders: number; readonly accepted: number },
  today: string,
  days: number,
): readonly number[] {
  const on = new Map(byDay.map(({ day, riders_accepted }) => [day, riders_accepted]));
  const last = Date.parse(`${today}T00:00:00Z`);
  const line: number[] = [];
  let count = accepted;
  for (let back = 0; back < days; back++) {
    line.unshift(riders > 0 ? count / riders : 0);
    count -= on.get(new Date(last - back * DAY_MS).toISOString().slice(0, 10)) ?? 0;
  }
  return line;
}
