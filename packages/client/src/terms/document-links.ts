/** The path at which a Musette server serves a document: by its SHA-256. */
const DOCUMENT = /^\/documents\/[0-9a-f]{64}\.pdf$/;

/**
 * Resolves the link to a document against the page's origin if `baseUrl` is on that origin too: then a
 * proxy of the page forwards both. A server behind a proxy that replaces `Host` cannot know the origin
 * that the browser shows, and writes its own into `content`, from which the page must not read (CORS).
 *
 * Any other link is left as it is, and so is every link where there is no page.
 */
export function resolveContent<T extends { readonly content: string }>(term: T, baseUrl = ""): T {
  const page = globalThis.location?.origin;
  // A page of opaque origin has none to resolve against, and a link may be relative to the page.
  if (!page?.startsWith("http") || !/^https?:/i.test(term.content)) return term;
  try {
    const { pathname, search, origin } = new URL(term.content);
    const isProxied = new URL(baseUrl, globalThis.location.href).origin === page;
    if (origin === page || !isProxied || !DOCUMENT.test(pathname)) return term;
    return { ...term, content: page + pathname + search };
  } catch {
    // Not a URL: the viewer says so.
    return term;
  }
}
