/**
 * Returns where to go after the sign-in. Anyone can write a link with `?next=`, so it only leads to
 * a page of this app. A sign-in that ends on an attacker's copy of the app would be phishing.
 */
export function nextAddress(search: string, fragment: string, origin: string): string {
  const next = new URLSearchParams(search).get("next");
  if (!next?.startsWith("/")) return "/";
  const target = parsed(next, origin);
  if (target?.origin !== origin || target.pathname === "/sign-in") return "/";
  // "/.//stranger.test" is a path on our origin to the parser, but another host once it is
  // shortened.
  if (target.pathname.startsWith("//")) return "/";
  return `${target.pathname}${target.search}${target.hash || fragment}`;
}

/**
 * Returns the address of the sign-in. A fragment remains a fragment: a receipt's number must not
 * get into a query.
 */
export function signInHref(next: string): string {
  const [path = "/", fragment] = next.split("#", 2);
  const query = path === "/" ? "" : `?next=${encodeURIComponent(path)}`;
  return `/sign-in${query}${fragment ? `#${fragment}` : ""}`;
}

function parsed(address: string, origin: string): URL | undefined {
  try {
    return new URL(address, origin);
  } catch {
    return undefined;
  }
}
