/** What the client reads of an access token. It verifies nothing: that is the server's part. */
export interface Claims {
  readonly exp?: number;
  readonly iat?: number;
  readonly sub?: string;
  readonly sid?: string;
}

/** The claims, or nothing for what is no token. */
export function decode(token: string | undefined): Claims | undefined {
  try {
    const payload = (token?.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    // A time written as text would never be "at or before now".
    return claims.exp === undefined || typeof claims.exp === "number" ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** "At or before": a token that ends in this very millisecond has ended. */
export function isExpired({ exp }: Claims, nowMs: number): boolean {
  return exp !== undefined && exp * 1000 <= nowMs;
}

/** Whether it is a later token of the same session. Two that were issued in one second are told apart by their `exp`. */
export function supersedes(candidate: string, than: string): boolean {
  // Asked before every request, and nearly always of one and the same token.
  if (candidate === than) return false;
  const [a, b] = [decode(candidate) ?? {}, decode(than) ?? {}];
  const since = (a.iat ?? 0) - (b.iat ?? 0) || (a.exp ?? 0) - (b.exp ?? 0);
  return a.sub === b.sub && a.sid === b.sid && since > 0;
}

/** Whether `token` falls with `ended`; a token issued later, without `sid`, is a new sign-in. */
export function belongsTo(token: string, ended: string): boolean {
  if (token === ended) return true;
  const [a, b] = [decode(token) ?? {}, decode(ended) ?? {}];
  return a.sid ? a.sid === b.sid : !!a.sub && a.sub === b.sub && !supersedes(token, ended);
}
