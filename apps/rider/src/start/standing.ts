import type { Outstanding } from "@musette/client/terms";

/** Whether a rider may work, given the outstanding terms. */
export type Standing =
  | { readonly kind: "done" }
  /** The rider may not work before accepting. */
  | { readonly kind: "now"; readonly count: number }
  /** The rider may work until this timestamp. */
  | { readonly kind: "by"; readonly count: number; readonly until: string };

export function standingOf({ outstanding, may_work }: Outstanding): Standing {
  const count = outstanding.length;
  if (count === 0) return { kind: "done" };
  const graces = outstanding.flatMap(({ grace_until }) => (grace_until ? [grace_until] : []));
  const [until] = graces.sort((a, b) => Date.parse(a) - Date.parse(b));
  // The server decides whether the grace period is over: this device's clock may be wrong.
  return may_work && until ? { kind: "by", count, until } : { kind: "now", count };
}
