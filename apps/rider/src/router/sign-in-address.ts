/**
 * Where to go after signing in. Anybody can write a link with `?next=`, so it only ever leads to a
 * page of this app: a sign-in that ends on a stranger's copy of it is how passwords are stolen.
 */
export function nextOf(search: string, fragment: string, origin: string): string {
  const asked = new URLSearchParams(search).get("next");
  if (!asked?.startsWith("/")) return "/";
  const target = parsed(asked, origin);
  if (target?.origin !== origin || target.pathname === "/sign-in") return "/";
  // "/.//stranger.test" is a path of ours to the parser, and an address of theirs once shortened.
  if (target.pathname.startsWith("//")) return "/";
  return `${target.pathname}${target.search}${target.hash || fragment}`;
}

/** What stands in the fragment stays in one: a receipt's number must not get into a query. */
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
