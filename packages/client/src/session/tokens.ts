import type { Cookies } from "./cookies";
import { belongsTo, supersedes } from "./token";

/** The tokens of a session. */
export interface Tokens {
  readonly access: string;
  /** Not to be seen in the hardened profile. */
  readonly refresh?: string | undefined;
}

const ACCESS = "dhh_token";
const REFRESH = "refresh_token";

export type TokenStore = ReturnType<typeof createTokenStore>;

/**
 * The tokens of this tab. The cookies are what counts; memory is asked only for a newer token of
 * the same session, since a cookie that another tab wrote is seen here a little later.
 */
export function createTokenStore({ cookies }: { readonly cookies: Cookies }, hardened: boolean) {
  let known: Tokens | undefined;
  let ended: string | undefined;

  function current(): Tokens | undefined {
    const access = cookies.read(ACCESS);
    if (!access || (ended && belongsTo(access, ended))) return undefined;
    if (!known || !supersedes(known.access, access)) {
      known = { access, refresh: hardened ? undefined : cookies.read(REFRESH) };
    }
    return known;
  }

  function put(name: string, value: string | undefined) {
    // WebKit forgets after 7 days what a script wrote, so what the server set is left alone.
    if (cookies.read(name) !== value) cookies.write(name, value);
  }

  return {
    current,
    /** Takes the tokens of another tab if they are newer. */
    merge(tokens: Tokens) {
      const mine = current();
      if (mine && supersedes(tokens.access, mine.access)) known = tokens;
    },
    write(tokens: Tokens) {
      known = tokens;
      ended = undefined;
      put(ACCESS, tokens.access);
      if (!hardened) put(REFRESH, tokens.refresh);
    },
    /** Removes the tokens. Returns the last access token of this tab. */
    clear(): string | undefined {
      const last = known?.access;
      known = undefined;
      cookies.write(ACCESS);
      cookies.write(REFRESH);
      return last;
    },
    /** Takes back what the response of a refresh that was dropped may have set: it may be another's by now. */
    discard(access: string) {
      if (cookies.read(ACCESS) !== access) return;
      if (known && !belongsTo(known.access, access)) this.write(known);
      else this.clear();
    },
    /** Forgets the session that ended in another tab. Returns whether it was this one. */
    forget(token: string): boolean {
      if (!known || !belongsTo(known.access, token)) return false;
      ended = known.access;
      known = undefined;
      return true;
    },
  };
}
