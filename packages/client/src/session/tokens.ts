import type { Cookies } from "./cookies";
import { belongsTo, supersedes } from "./token";

/** The tokens of a session. */
export interface Tokens {
  readonly access: string;
  /** Undefined in the hardened profile, because scripts cannot read it. */
  readonly refresh?: string | undefined;
}

const ACCESS = "dhh_token";
const REFRESH = "refresh_token";

export type TokenStore = ReturnType<typeof createTokenStore>;

/**
 * Creates the store of this tab's tokens. The cookies are authoritative. The store prefers a token in
 * memory only if it is newer and of the same session, because cookies from other tabs appear with a delay.
 */
export function createTokenStore({ cookies }: { readonly cookies: Cookies }, hardened: boolean) {
  let cached: Tokens | undefined;
  let ended: string | undefined;

  function current(): Tokens | undefined {
    const access = cookies.read(ACCESS);
    if (!access || (ended && belongsTo(access, ended))) return undefined;
    if (!cached || !supersedes(cached.access, access)) {
      cached = { access, refresh: hardened ? undefined : cookies.read(REFRESH) };
    }
    return cached;
  }

  function put(name: string, value: string | undefined) {
    // WebKit removes script-written cookies after 7 days, so cookies set by the server are not overwritten.
    if (cookies.read(name) !== value) cookies.write(name, value);
  }

  return {
    current,
    /** Uses the tokens of another tab if they are newer. */
    merge(tokens: Tokens) {
      const existing = current();
      if (existing && supersedes(tokens.access, existing.access)) cached = tokens;
    },
    /** Writes tokens to memory and to the cookies. */
    write(tokens: Tokens) {
      cached = tokens;
      ended = undefined;
      put(ACCESS, tokens.access);
      if (!hardened) put(REFRESH, tokens.refresh);
    },
    /** Removes the tokens. Returns the last access token of this tab. */
    clear(): string | undefined {
      const last = cached?.access;
      cached = undefined;
      cookies.write(ACCESS);
      cookies.write(REFRESH);
      return last;
    },
    /** Reverts cookies that the response of a dropped refresh set. Restores those of the current session. */
    discard(access: string) {
      if (cookies.read(ACCESS) !== access) return;
      if (cached && !belongsTo(cached.access, access)) this.write(cached);
      else this.clear();
    },
    /** Removes the session if it is the one that ended in another tab. Returns whether it was. */
    forget(token: string): boolean {
      if (!cached || !belongsTo(cached.access, token)) return false;
      ended = cached.access;
      cached = undefined;
      return true;
    },
  };
}
