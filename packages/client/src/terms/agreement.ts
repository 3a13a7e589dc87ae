import type { Consent } from "./consents";
import type { Term } from "./term";

/** How a tick was set. Kept as evidence of how granular the decision was. */
export type ConsentMethod = "tick" | "agree_all";

/** What the partial state of "agree to all" becomes on a click: the specification allows both. */
export type PartialClick = "tick" | "untick";

export interface Choice {
  readonly accepted: boolean;
  readonly method: ConsentMethod;
}

/**
 * Two layers, so that a late answer of the server never overrides the person: what was accepted
 * earlier, and over it what the person has chosen on this screen.
 */
export interface Agreement {
  readonly earlier: ReadonlySet<number>;
  readonly choices: ReadonlyMap<number, Choice>;
}

/** Only what was accepted. A refusal, or nothing at all, never ticks a box. */
export function acceptedBefore(consents: readonly Consent[]): ReadonlySet<number> {
  return new Set(
    consents
      .filter((consent) => consent.accepted === true)
      .map((consent) => consent.terms_and_conditions_id),
  );
}

export function isTicked({ earlier, choices }: Agreement, id: number): boolean {
  return choices.get(id)?.accepted ?? earlier.has(id);
}

export function agreeAllState(ticks: readonly boolean[]): boolean | "mixed" {
  const ticked = ticks.filter(Boolean).length;
  if (ticked === 0) return false;
  return ticked === ticks.length || "mixed";
}

/** What every term becomes when "agree to all" is clicked. */
export function afterToggleAll(state: boolean | "mixed", partialClick: PartialClick): boolean {
  return state === "mixed" ? partialClick === "tick" : !state;
}

export function toggle(agreement: Agreement, id: number): Agreement {
  const accepted = !isTicked(agreement, id);
  return withChoices(agreement, [id], { accepted, method: "tick" });
}

export function toggleAll(
  agreement: Agreement,
  ids: readonly number[],
  partialClick: PartialClick,
): Agreement {
  const ticks = ids.map((id) => isTicked(agreement, id));
  const accepted = afterToggleAll(agreeAllState(ticks), partialClick);
  // Who ticked a term by hand did so, whatever "agree to all" adds afterwards.
  const others = ids.filter((_, index) => ticks[index] !== accepted);
  return withChoices(agreement, others, { accepted, method: "agree_all" });
}

function withChoices({ earlier, choices }: Agreement, ids: readonly number[], choice: Choice) {
  return { earlier, choices: new Map([...choices, ...ids.map((id) => [id, choice] as const)]) };
}

/** The mandatory terms that still lack a tick: while there are any, nothing can be submitted. */
export function missingMandatory(terms: readonly Term[], agreement: Agreement): readonly Term[] {
  return terms.filter((term) => term.mandatory && !isTicked(agreement, term.id));
}
