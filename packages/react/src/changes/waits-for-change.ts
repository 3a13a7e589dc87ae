import type { Term } from "@musette/client/terms";

/**
 * Whether the button has nothing to send until a tick is changed. Undefined where something is left to
 * agree to, or nobody knows what was agreed to.
 */
export function waitsForChange(
  terms: readonly Term[],
  ticks: readonly boolean[],
  accepted: ReadonlySet<number> | undefined,
): boolean | undefined {
  if (!accepted) return undefined;
  const had = terms.map(({ id }) => accepted.has(id));
  const agreed = terms.every(({ mandatory }, i) => !mandatory || (had[i] && ticks[i]));
  return agreed && had.includes(true) ? had.every((before, i) => before === ticks[i]) : undefined;
}
