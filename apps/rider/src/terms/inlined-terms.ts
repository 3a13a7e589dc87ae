/** In the page of `/apply`; its `lang` is the language that they were listed for. */
const BLOCK = "musette-terms";
const QUESTION = "/public/terms?types=FREELANCER,MARKETING";
/** As long as a cache may keep the same answer. */
const FRESH_MS = 60_000;

/** The global `fetch`, which is spared the first question for the public terms. */
export const fetchInlined: typeof fetch = async (asked, init) =>
  inlined(String(asked), init) ?? fetch(asked, init);

function inlined(url: string, init: RequestInit | undefined): Response | undefined {
  const block = document.getElementById(BLOCK);
  if (!block || !url.endsWith(QUESTION) || init?.cache) return undefined;
  block.remove();
  const language = new Headers(init?.headers).get("accept-language");
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // On the way back a browser shows a page that it kept, however old.
  const isOld = visit?.type === "back_forward" || performance.now() > FRESH_MS;
  return block.lang === language && !isOld ? new Response(block.textContent) : undefined;
}
