import type { Term } from "@musette/client/terms";
import type { ReactNode } from "react";
import type { TextsAtHand } from "../texts";
import type { LoadedTerms } from "./use-terms";

/**
 * A function that changes the order and the presentation of the list of terms. It is a prop, so that hosts
 * that do not use it do not load its code. `changesFirst` of `@musette/react/changes` returns one.
 */
export type Arrange = (
  loaded: LoadedTerms,
  /** The ticks in the order of `loaded.terms`. */
  ticks: readonly boolean[],
  texts: TextsAtHand,
) => Arrangement;

/** The result of `Arrange`. An omitted optional member leaves its part of the screen unchanged. */
export interface Arrangement {
  /** The terms in their new order. `ticks` has the same order. */
  readonly terms: readonly Term[];
  readonly ticks: readonly boolean[];
  /** The ids of the terms to mark as changed. */
  readonly changed: ReadonlySet<number>;
  /** Renders content below the row of a term. */
  readonly below?: (term: Term) => ReactNode;
  /** Replaces the title of the screen. */
  readonly title?: string;
  /** Replaces the description below the title. */
  readonly description?: ReactNode;
  /** Disables the button until the user changes a tick. */
  readonly waits?: boolean;
}
