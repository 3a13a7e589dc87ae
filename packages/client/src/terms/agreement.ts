import type { Consent } from "./consents";
import { type Term, versionIds } from "./term";

/** How a box was ticked. Stored as evidence of how granular the decision was. */
export type ConsentMethod = "tick" | "agree_all";

/** The result of a click on "agree to all" in its partial state. The specification allows both. */
export type PartialClick = "tick" | "untick";

/** A tick that the user set or removed on this screen. */
export interface Choice {
  readonly accepted: boolean;
  /** Undefined for a tick that was restored from an earlier visit. */
  readonly method?: ConsentMethod;
}

/**
 * The ticks of a consent screen in two layers: the terms accepted earlier, and above them the choices on
 * this screen. A late response of the server therefore never overrides a choice of the user.
 */
export interface Agreement {
  readonly earlier: ReadonlySet<number>;
  readonly choices: ReadonlyMap<number, Choice>;
  /** Optional terms that the user declined earlier: a tick of an earlier visit does not count; see `declinedTerms`. */
  readonly declined?: ReadonlySet<number>;
}

/** The earlier decisions of the user according to the server: the ids of accepted and refused terms. */
export interface EarlierConsents {
  readonly accepted: ReadonlySet<number>;
  readonly refused: ReadonlySet<number>;
}

/** Sorts the decisions of a user into accepted and refused ones. */
export function earlierConsents(consents: readonly Consent[]): EarlierConsents {
  const ids = (accepted: boolean) =>
    consents
      .filter((consent) => consent.accepted === accepted)
      .map((consent) => consent.terms_and_conditions_id);
  return { accepted: new Set(ids(true)), refused: new Set(ids(false)) };
}

/** Returns the accepted terms only. A refused or undecided term never starts with a tick. */
export function acceptedBefore(consents: readonly Consent[]): ReadonlySet<number> {
  return earlierConsents(consents).accepted;
}

/**
 * Returns the optional terms that the user refused or withdrew, in this version or in the newest earlier version
 * that they decided on. While `earlier` is undefined (not loaded), returns all optional terms, because each may
 * have been declined.
 */
export function declinedTerms(
  terms: readonly Term[],
  earlier: EarlierConsents | undefined,
): ReadonlySet<number> {
  const isDeclined = (term: Term) => {
    const decided = versionIds(term).find(
      (id) => earlier?.refused.has(id) || earlier?.accepted.has(id),
    );
    return decided !== undefined && earlier?.refused.has(decided);
  };
  const declined = terms.filter((term) => !term.mandatory && (!earlier || isDeclined(term)));
  return new Set(declined.map(({ id }) => id));
}

/** Returns the user's choice for a term on this screen; undefined if they did not touch it. */
export function choiceOf({ choices, declined }: Agreement, id: number): Choice | undefined {
  const choice = choices.get(id);
  // A tick of an earlier visit may be older than the refusal.
  const isOutdated = choice?.accepted && !choice.method && declined?.has(id);
  return isOutdated ? undefined : choice;
}

/** Returns whether the box of a term is ticked. */
export function isTicked(agreement: Agreement, id: number): boolean {
  return choiceOf(agreement, id)?.accepted ?? agreement.earlier.has(id);
}

/** Returns the state of "agree to all": `mixed` if only some terms are ticked. */
export function agreeAllState(ticks: readonly boolean[]): boolean | "mixed" {
  const ticked = ticks.filter(Boolean).length;
  if (ticked === 0) return false;
  return ticked === ticks.length || "mixed";
}

/** Returns the state of every term after a click on "agree to all". */
export function afterToggleAll(state: boolean | "mixed", partialClick: PartialClick): boolean {
  return state === "mixed" ? partialClick === "tick" : !state;
}

/** Toggles the tick of one term. */
export function toggle(agreement: Agreement, id: number): Agreement {
  const accepted = !isTicked(agreement, id);
  return withChoices(agreement, [id], { accepted, method: "tick" });
}

/** Applies a click on "agree to all": ticks all terms while one is unticked, also one that was declined earlier. */
export function toggleAll(
  agreement: Agreement,
  ids: readonly number[],
  partialClick: PartialClick,
): Agreement {
  const ticked = (id: number) => isTicked(agreement, id);
  const accepted = afterToggleAll(agreeAllState(ids.map(ticked)), partialClick);
  // A term that the user ticked by hand keeps the method `tick`.
  const others = ids.filter((id) => ticked(id) !== accepted);
  return withChoices(agreement, others, { accepted, method: "agree_all" });
}

function withChoices(agreement: Agreement, ids: readonly number[], choice: Choice): Agreement {
  const choices = new Map([...agreement.choices, ...ids.map((id) => [id, choice] as const)]);
  return { ...agreement, choices };
}

/** Returns the mandatory terms without a tick. While there are any, the user cannot submit. */
export function missingMandatory(terms: readonly Term[], agreement: Agreement): readonly Term[] {
  return terms.filter((term) => term.mandatory && !isTicked(agreement, term.id));
}
