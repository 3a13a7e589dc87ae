import type { Term } from "@musette/client/terms";
import type { ReactNode } from "react";
import type { TextsAtHand } from "../texts";
import type { LoadedTerms } from "./use-terms";

/**
 * Shows the list in another way than by `display_order` under title and description. It comes from the
 * outside, so that hosts which do not use it do not load it.
 */
export type Arrange = (
  loaded: LoadedTerms,
  /** In the order of `loaded.terms`. */
  ticks: readonly boolean[],
  words: TextsAtHand,
) => Arrangement;

/** What is left out stays as it is. */
export interface Arrangement {
  /** The terms in another order, with `ticks` in that order too. */
  readonly terms: readonly Term[];
  readonly ticks: readonly boolean[];
  readonly changed: ReadonlySet<number>;
  /** What stands below the row of a term. */
  readonly below?: (term: Term) => ReactNode;
  readonly title?: string;
  readonly description?: ReactNode;
  /** There is nothing to send until a tick is changed. */
  readonly waits?: boolean;
}
