/** The cookies of the page. */
export interface Cookies {
  read(name: string): string | undefined;
  /** Without a value: forgets it. */
  write(name: string, value?: string): void;
}

/** Upper limit of a session's life; the server decides when it ends. */
const MAX_AGE_S = 90 * 86_400;

/** Characters that RFC 6265 §4.1.1 does not allow in a value, and the escape itself. */
const UNSAFE = /[^!#$&-+\--:<-[\]-~]/g;

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Set by somebody who does not escape.
    return value;
  }
}

export function pageCookies(page: Document): Cookies {
  return {
    read(name) {
      const pair = page.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
      return pair && unescaped(pair.slice(name.length + 1));
    },
    write(name, value) {
      const secure = page.location.protocol === "https:" ? "; Secure" : "";
      const age = value ? MAX_AGE_S : 0;
      const text = value?.replace(UNSAFE, encodeURIComponent) ?? "";
      page.cookie = `${name}=${text}; path=/; SameSite=Lax; Max-Age=${age}${secure}`;
    },
  };
}

/** Where there is no page: tests, and rendering on a server. */
export function memoryCookies(): Cookies {
  const jar = new Map<string, string>();
  return {
    read: (name) => jar.get(name),
    write: (name, value) => (value ? jar.set(name, value) : jar.delete(name)),
  };
}
