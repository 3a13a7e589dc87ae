/** The claims that the client reads from an access token. Only the server verifies the token. */
export interface Claims {
  readonly exp?: number;
  readonly iat?: number;
  readonly sub?: string;
  readonly sid?: string;
}

/** Decodes the claims; undefined if the text is not a valid token. */
export function decode(token: string | undefined): Claims | undefined {
  try {
    const payload = (token?.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    // An `exp` that is a string would never compare as expired.
    return claims.exp === undefined || typeof claims.exp === "number" ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a token is expired. A token that ends in this millisecond is expired. */
export function isExpired({ exp }: Claims, nowMs: number): boolean {
  return exp !== undefined && exp * 1000 <= nowMs;
}

/** Returns whether a token is a later token of the same session. Compares `exp` if `iat` is the same second. */
export function supersedes(candidate: string, than: string): boolean {
  // Shortcut: this runs before every request, mostly with two identical tokens.
  if (candidate === than) return false;
  const [a, b] = [decode(candidate) ?? {}, decode(than) ?? {}];
  const difference = (a.iat ?? 0) - (b.iat ?? 0) || (a.exp ?? 0) - (b.exp ?? 0);
  return a.sub === b.sub && a.sid === b.sid && difference > 0;
}

/** Returns whether `token` ends together with `ended`. Without `sid`, a later token is a new sign-in. */
export function belongsTo(token: string, ended: string): boolean {
  if (token === ended) return true;
  const [a, b] = [decode(token) ?? {}, decode(ended) ?? {}];
  return a.sid ? a.sid === b.sid : !!a.sub && a.sub === b.sub && !supersedes(token, ended);
}
