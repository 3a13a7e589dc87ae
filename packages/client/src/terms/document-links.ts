/** The origin of a link to a document of a Musette server, which names it by its SHA-256. */
const ORIGIN = /^.+(?=\/documents\/\w{64}\.pdf$)/;

/**
 * Resolves the link to a document against the page's origin if `baseUrl` is relative: then a proxy of
 * the page forwards both. A server behind a proxy that replaces `Host` cannot know the origin that the
 * browser shows, and writes its own into `content`, from which the page must not read (CORS).
 *
 * Any other link is left as it is, and so is every link where there is no page.
 */
export const resolveContent = <T extends { readonly content: string }>(
  term: T,
  baseUrl?: string,
) =>
  baseUrl?.includes("//")
    ? term
    : { ...term, content: term.content.replace(ORIGIN, globalThis.origin ?? "$&") };
