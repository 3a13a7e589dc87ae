import type { Term } from "@musette/client/terms";

/**
 * Returns whether the button must wait for a change of a tick, because there is nothing to send. Returns
 * undefined if a term is left to agree to, or if the accepted terms are not known.
 */
export function waitsForChange(
  terms: readonly Term[],
  ticks: readonly boolean[],
  accepted: ReadonlySet<number> | undefined,
): boolean | undefined {
  if (!accepted) return undefined;
  const wasAccepted = terms.map(({ id }) => accepted.has(id));
  const agreed = terms.every(({ mandatory }, i) => !mandatory || (wasAccepted[i] && ticks[i]));
  return agreed && wasAccepted.includes(true)
    ? wasAccepted.every((before, i) => before === ticks[i])
    : undefined;
}
