/** Which results a page shows: it stands in the address, so that two people look at the same. */
export interface ResultsSearch {
  /** The current one where it is absent. */
  readonly phase?: number;
  /** The primary one where it is absent. */
  readonly metric?: string;
  readonly goal?: "lower";
  readonly measure?: "proportion";
}

export function readResultsSearch(search: Record<string, unknown>): ResultsSearch {
  const { phase, metric, goal, measure } = search;
  // The router reads a bare number as one, and a metric may be called so.
  const name =
    typeof metric === "string" || typeof metric === "number" ? String(metric).trim() : "";
  return {
    ...(typeof phase === "number" && Number.isSafeInteger(phase) && phase >= 0 && { phase }),
    ...(name && { metric: name }),
    ...(goal === "lower" && { goal }),
    ...(measure === "proportion" && { measure }),
  };
}

/** As the server is asked. */
export function resultsParameters(search: ResultsSearch, environment: string): URLSearchParams {
  const asked = new URLSearchParams({ environment });
  for (const [name, value] of Object.entries(search)) asked.set(name, String(value));
  return asked;
}
