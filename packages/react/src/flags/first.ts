import type { FlagBootstrap, HoldoutEvaluation, Peeked } from "@musette/client/flags";

/** What a server drew from, and what a browser draws from until React has taken the page over. */
export interface FirstPicture {
  /** One object for each key, since React compares identities. */
  peek(key: string): Peeked | undefined;
  readonly holdouts: readonly HoldoutEvaluation[];
}

export function firstPicture(bootstrap: FlagBootstrap | undefined): FirstPicture {
  const results = Object.entries(bootstrap?.flags ?? {});
  const flags = new Map(
    results.map(([key, result]): [string, Peeked] => [key, { result, status: "cached" }]),
  );
  // Each flag names all of its holdouts, so that one holdout stands under many flags.
  const holdouts = new Map(
    results.flatMap(([, { holdoutsEvaluations = [] }]) =>
      holdoutsEvaluations.map((holdout) => [holdout.key, holdout]),
    ),
  );
  return { peek: (key) => flags.get(key), holdouts: [...holdouts.values()] };
}
