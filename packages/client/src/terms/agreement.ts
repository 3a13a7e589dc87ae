import type { Consent } from "./consents";
import { type Term, versionIds } from "./term";

/** How a tick was set. Kept as evidence of how granular the decision was. */
export type ConsentMethod = "tick" | "agree_all";

/** What the partial state of "agree to all" becomes on a click: the specification allows both. */
export type PartialClick = "tick" | "untick";

/** A tick or its removal by the person on this screen. */
export interface Choice {
  readonly accepted: boolean;
  /** Unknown of a tick that was restored: it was set in a visit that is over. */
  readonly method?: ConsentMethod;
}

/**
 * Two layers, so that a late answer of the server never overrides the person: what was accepted
 * earlier, and over it what the person has chosen on this screen.
 */
export interface Agreement {
  readonly earlier: ReadonlySet<number>;
  readonly choices: ReadonlyMap<number, Choice>;
  /** Optional terms that only a tick of their own row brings back; see `heldTerms`. */
  readonly held?: ReadonlySet<number>;
}

/** What the server says of this person's earlier decisions; undefined as long as nobody knows. */
export interface EarlierConsents {
  readonly accepted: ReadonlySet<number>;
  readonly refused: ReadonlySet<number>;
}

/** Sorts the decisions of a person into accepted and refused ones. */
export function earlierConsents(consents: readonly Consent[]): EarlierConsents {
  const ids = (accepted: boolean) =>
    consents
      .filter((consent) => consent.accepted === accepted)
      .map((consent) => consent.terms_and_conditions_id);
  return { accepted: new Set(ids(true)), refused: new Set(ids(false)) };
}

/** Only what was accepted. A refusal, or nothing at all, never ticks a box. */
export function acceptedBefore(consents: readonly Consent[]): ReadonlySet<number> {
  return earlierConsents(consents).accepted;
}

/**
 * The optional terms that "agree to all" leaves alone: those that this person refused or withdrew,
 * under this version or the newest earlier one that they decided on, and all while that is not known.
 */
export function heldTerms(
  terms: readonly Term[],
  earlier: EarlierConsents | undefined,
): ReadonlySet<number> {
  const refused = (term: Term) => {
    const decided = versionIds(term).find(
      (id) => earlier?.refused.has(id) || earlier?.accepted.has(id),
    );
    return decided !== undefined && earlier?.refused.has(decided);
  };
  const held = terms.filter((term) => !term.mandatory && (!earlier || refused(term)));
  return new Set(held.map(({ id }) => id));
}

/** What this person did with a term on this screen; undefined where they left it alone. */
export function choiceOf({ choices, held }: Agreement, id: number): Choice | undefined {
  const choice = choices.get(id);
  // Ticked by "agree to all", or in an earlier visit, before it was known to need a tick of its own.
  const bypassed = choice?.accepted && choice.method !== "tick" && held?.has(id);
  return bypassed ? undefined : choice;
}

/** Whether the box of a term is ticked. */
export function isTicked(agreement: Agreement, id: number): boolean {
  return choiceOf(agreement, id)?.accepted ?? agreement.earlier.has(id);
}

/** The state of "agree to all": `mixed` where only some are ticked. */
export function agreeAllState(ticks: readonly boolean[]): boolean | "mixed" {
  const ticked = ticks.filter(Boolean).length;
  if (ticked === 0) return false;
  return ticked === ticks.length || "mixed";
}

/** What every term becomes when "agree to all" is clicked. */
export function afterToggleAll(state: boolean | "mixed", partialClick: PartialClick): boolean {
  return state === "mixed" ? partialClick === "tick" : !state;
}

/** Flips the tick of one term. */
export function toggle(agreement: Agreement, id: number): Agreement {
  const accepted = !isTicked(agreement, id);
  return withChoices(agreement, [id], { accepted, method: "tick" });
}

/** Clicks "agree to all". Terms in `held` are not ticked by it. */
export function toggleAll(
  agreement: Agreement,
  ids: readonly number[],
  partialClick: PartialClick,
): Agreement {
  const { held } = agreement;
  const covered = ids.filter((id) => !held?.has(id));
  const ticked = (id: number) => isTicked(agreement, id);
  const state = agreeAllState(ids.map(ticked));
  // Where it can tick nothing more, the other reading of the partial state is the only one left.
  const accepted = afterToggleAll(state, partialClick) && covered.some((id) => !ticked(id));
  // A tick by hand stays one, whatever "agree to all" adds afterwards.
  const others = covered.filter((id) => ticked(id) !== accepted);
  const next = withChoices(agreement, others, { accepted, method: "agree_all" });
  if (accepted) return next;
  // Back to untouched, not to a refusal: nobody refused these here.
  const choices = new Map(next.choices);
  for (const id of held ?? []) choices.delete(id);
  return { ...next, choices };
}

function withChoices(agreement: Agreement, ids: readonly number[], choice: Choice): Agreement {
  const choices = new Map([...agreement.choices, ...ids.map((id) => [id, choice] as const)]);
  return { ...agreement, choices };
}

/** The mandatory terms that still lack a tick: while there are any, nothing can be submitted. */
export function missingMandatory(terms: readonly Term[], agreement: Agreement): readonly Term[] {
  return terms.filter((term) => term.mandatory && !isTicked(agreement, term.id));
}
