/** What is asked about a person's flags: it stands in the address. */
export interface FlagsSearch {
  readonly env?: string;
  readonly q?: string;
  /** What an application would send besides the user id, as it was typed. */
  readonly with?: Readonly<Record<string, string>>;
}

export function readFlagsSearch(search: Record<string, unknown>): FlagsSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  const env = text("env");
  const q = text("q");
  const given = Object.entries(typeof search.with === "object" ? { ...search.with } : {});
  const attributes = given.filter(
    (it): it is [string, string] => it[0] !== "" && typeof it[1] === "string" && it[1] !== "",
  );
  return {
    ...(env && { env }),
    ...(q && { q }),
    ...(attributes.length > 0 && { with: Object.fromEntries(attributes) }),
  };
}

/** Numbers, switches and lists as what they are; all else is a text, as people type it. */
export function attributeValue(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

export function evaluationAttributes(
  userId: string,
  given: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const entries = Object.entries(given).map(([name, typed]) => [name, attributeValue(typed)]);
  return { userId, ...Object.fromEntries(entries) };
}
