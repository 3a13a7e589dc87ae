/** Which environment a page shows: it stands in the address of every page about flags. */
export interface EnvironmentSearch {
  readonly env?: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function readEnvironmentSearch(search: Record<string, unknown>): EnvironmentSearch {
  // The router reads a bare number as one.
  const env = typeof search.env === "number" ? String(search.env) : search.env;
  return typeof env === "string" && NAME.test(env) ? { env } : {};
}

/** What the address says, or else what was shown last, or else what most come for. */
export function chooseEnvironment(
  names: readonly string[],
  asked: string | undefined,
  remembered: string | undefined,
): string {
  const first = names.includes("production") ? "production" : (names[0] ?? "");
  return [asked, remembered].find((name) => name !== undefined && names.includes(name)) ?? first;
}
