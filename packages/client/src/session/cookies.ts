/** Access to the cookies of the page. */
export interface Cookies {
  read(name: string): string | undefined;
  /** Writes a cookie, or removes it without a value. */
  write(name: string, value?: string): void;
}

/** Upper limit for the life of the cookies. The server decides when a session ends. */
const MAX_AGE_S = 90 * 86_400;

/** The characters to escape: those that RFC 6265 §4.1.1 does not allow in a value, and `%` itself. */
const UNSAFE = /[^!#$&-+\--:<-[\]-~]/g;

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Another script set the cookie without escaping its value.
    return value;
  }
}

export function pageCookies(page: Document): Cookies {
  return {
    read(name) {
      const pair = page.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
      return pair && decodeValue(pair.slice(name.length + 1));
    },
    write(name, value) {
      const secure = page.location.protocol === "https:" ? "; Secure" : "";
      const age = value ? MAX_AGE_S : 0;
      const text = value?.replace(UNSAFE, encodeURIComponent) ?? "";
      page.cookie = `${name}=${text}; path=/; SameSite=Lax; Max-Age=${age}${secure}`;
    },
  };
}

/** Returns cookies in memory, for tests and for rendering on a server. */
export function memoryCookies(): Cookies {
  const jar = new Map<string, string>();
  return {
    read: (name) => jar.get(name),
    write: (name, value) => (value ? jar.set(name, value) : jar.delete(name)),
  };
}
