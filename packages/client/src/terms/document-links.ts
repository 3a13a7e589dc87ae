/** Matches the origin of a link to a document of a Musette server. The file name is its SHA-256. */
const ORIGIN = /^.+(?=\/documents\/\w{64}\.pdf$)/;

/**
 * Resolves the link to a document against the page's origin if `baseUrl` is relative, because then a proxy
 * of the page forwards the API and the documents. A server behind a proxy that replaces `Host` does not know
 * the origin in the browser. It writes its own origin into `content`, which the page may not read (CORS).
 *
 * Returns all other links unchanged. Outside of a page it returns every link unchanged.
 */
export const resolveContent = <T extends { readonly content: string }>(
  term: T,
  baseUrl?: string,
) =>
  baseUrl?.includes("//")
    ? term
    : { ...term, content: term.content.replace(ORIGIN, globalThis.origin ?? "$&") };
