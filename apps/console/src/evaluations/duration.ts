const UNITS = [
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a length of time with its units: `4 hr 12 min`. */
export function duration(locale: string, seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count === 0 && !(seconds === 0 && unit === "minute")) return [];
    const options = { style: "unit", unit, unitDisplay: "short" } as const;
    return [new Intl.NumberFormat(locale, options).format(count)];
  });
  return parts.join(" ");
}
