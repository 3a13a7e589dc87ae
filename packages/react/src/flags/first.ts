import type { FlagBootstrap, HoldoutEvaluation, Peeked } from "@musette/client/flags";

/** The flags of the first render: on a server, and in a browser until React has hydrated the page. */
export interface FirstRender {
  /** Returns the same object for a key on each call, because React compares identities. */
  peek(key: string): Peeked | undefined;
  readonly holdouts: readonly HoldoutEvaluation[];
}

export function createFirstRender(bootstrap: FlagBootstrap | undefined): FirstRender {
  const results = Object.entries(bootstrap?.flags ?? {});
  const flags = new Map(
    results.map(([key, result]): [string, Peeked] => [key, { result, status: "cached" }]),
  );
  // Each flag lists all of its holdouts, so a holdout may occur under several flags.
  const holdouts = new Map(
    results.flatMap(([, { holdoutsEvaluations = [] }]) =>
      holdoutsEvaluations.map((holdout) => [holdout.key, holdout]),
    ),
  );
  return { peek: (key) => flags.get(key), holdouts: [...holdouts.values()] };
}
