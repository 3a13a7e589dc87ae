/** What the worker may answer from its caches. Other requests are passed through. */
export type Kind =
  /** A page of the app: the same document for all users, without personal data. */
  | "page"
  /** A file of the build. */
  | "file"
  /** The public terms, the markets that an applicant chooses from, and the automated systems. */
  | "terms"
  /** A page or the text of a published document, named by its hash. */
  | "document";

/** The addresses of the app. A test compares them with the pages in `app.tsx`. */
export const PAGES = [
  "/",
  "/apply",
  "/terms",
  "/agreements",
  "/receipt",
  "/sign-in",
  "/devices",
  "/notices",
  "/automated-systems",
  "/work-record",
  "/evaluation",
  "/contest",
  "/restrictions",
];

const FILES = /^\/(assets\/[\w.-]+|icon\.svg|icon-192\.png|manifest\.webmanifest)$/;
export const PUBLIC_TERMS = "/api/rooster/v3/public/terms";
export const PUBLIC_MARKETS = "/api/rooster/v3/public/markets";
export const PUBLIC_SYSTEMS = "/api/rooster/v3/public/automated-systems";
const DOCUMENT_PART = /^\/documents\/[0-9a-f]{64}\/[\w@.-]+\.(json|png|webp|avif)$/;

type RequestInfoParts = Pick<Request, "method" | "mode" | "url" | "headers">;

/**
 * Returns the kind of a request; undefined if it must not be kept. A request with a user's token is
 * never kept, whatever its address.
 */
export function kindOf(
  { method, mode, url, headers }: RequestInfoParts,
  origin: string,
): Kind | undefined {
  const { pathname, origin: at } = new URL(url);
  if (method !== "GET" || at !== origin || headers.has("authorization")) return undefined;
  if (mode === "navigate") {
    return PAGES.includes(pathname.replace(/(.)\/$/, "$1")) ? "page" : undefined;
  }
  if (FILES.test(pathname)) return "file";
  if ([PUBLIC_TERMS, PUBLIC_MARKETS, PUBLIC_SYSTEMS].includes(pathname)) return "terms";
  return DOCUMENT_PART.test(pathname) ? "document" : undefined;
}

/** Whether an answer is of the expected kind and public. A draft of a document is private. */
export function mayCache(kind: Kind, { status, type, headers }: Response): boolean {
  if (status !== 200 || type !== "basic") return false;
  const caching = headers.get("cache-control") ?? "";
  const isHtml = headers.get("content-type")?.startsWith("text/html") ?? false;
  if (kind === "page") return isHtml;
  if (isHtml || /no-store|private/.test(caching)) return false;
  return kind === "file" || caching.includes("public");
}
