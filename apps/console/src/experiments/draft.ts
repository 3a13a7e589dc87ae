export interface SetUpSearch {
  /** The flag that is to be tried out. */
  readonly flag?: string;
}

export function readSetUpSearch(search: Record<string, unknown>): SetUpSearch {
  const { flag } = search;
  return typeof flag === "string" || typeof flag === "number" ? { flag: String(flag) } : {};
}
