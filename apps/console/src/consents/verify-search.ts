/** Which receipt of ours is checked; one from a file stands in no address. */
export interface VerifySearch {
  readonly receipt?: string;
  /** Whose it is said to be. */
  readonly user?: string;
}

export function readVerifySearch({ receipt, user }: Record<string, unknown>): VerifySearch {
  if (typeof receipt !== "string" || !/^[\w-]{1,200}$/.test(receipt)) return {};
  // The router reads a bare number as one, and a user id may be a number.
  const whose = typeof user === "string" || typeof user === "number" ? String(user).trim() : "";
  return { receipt, ...(whose && { user: whose }) };
}
