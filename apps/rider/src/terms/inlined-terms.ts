import { asTerms, type fetchMarkets, resolveContent, type Term } from "@musette/client/terms";

type Markets = Awaited<ReturnType<typeof fetchMarkets>>;

/**
 * Data blocks in the page of `/apply`, by the request that they answer. Their `lang` is the
 * language of the listed terms.
 */
const BLOCKS = {
  "/public/terms?types=FREELANCER,MARKETING": "musette-terms",
  "/public/markets?types=FREELANCER,MARKETING": "musette-markets",
} as const;
type Block = (typeof BLOCKS)[keyof typeof BLOCKS];

/** How long a cache may keep the same answer. */
const FRESH_MS = 60_000;
/**
 * How long the terms of an earlier visit are shown: the same time as in the worker
 * (docs/decisions/0022).
 */
const KEPT_MS = 30 * 24 * 3600_000;

/**
 * The global `fetch`, except that the first request for public terms and markets is answered from
 * the page.
 */
export const fetchInlined: typeof fetch = async (asked, init) => {
  const id = Object.entries(BLOCKS).find(([question]) => String(asked).endsWith(question))?.[1];
  if (!id) return fetch(asked, init);
  const language = new Headers(init?.headers).get("accept-language");
  const inlined = init?.cache ? undefined : inlinedText(id, language);
  document.getElementById(id)?.remove();
  const answer = inlined === undefined ? await fetch(asked, init) : new Response(inlined);
  if (answer.ok) storeText(id, language, answer.clone());
  return answer;
};

/**
 * Returns the terms from the page or from this device's last visit, for the first render. A request
 * is made meanwhile.
 */
export function initialTerms(language: string): readonly Term[] | undefined {
  const text = inlinedText("musette-terms", language) ?? storedText("musette-terms", language);
  try {
    const terms = text === undefined ? undefined : asTerms(JSON.parse(text));
    return terms?.map((term) => resolveContent(term));
  } catch {
    return undefined;
  }
}

/** Returns the markets from the same source as `initialTerms`. */
export function initialMarkets(): Markets | undefined {
  const text = inlinedText("musette-markets", null) ?? storedText("musette-markets", null);
  try {
    const list: Markets | undefined = text === undefined ? undefined : JSON.parse(text);
    return Array.isArray(list?.markets) ? list : undefined;
  } catch {
    return undefined;
  }
}

function inlinedText(id: Block, language: string | null): string | undefined {
  const block = document.getElementById(id);
  if (!block) return undefined;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // When going back, a browser may show a stored page of any age.
  const isOld = visit?.type === "back_forward" || performance.now() > FRESH_MS;
  const isMine = language === null || block.lang === language;
  return isMine && !isOld ? (block.textContent ?? undefined) : undefined;
}

interface StoredText {
  readonly language: string | null;
  readonly at: number;
  readonly text: string;
}

// Public, and the same for all users of this device.
const storageKey = (id: Block) => `musette.public.${id}`;

function storedText(id: Block, language: string | null): string | undefined {
  try {
    const stored: StoredText = JSON.parse(localStorage.getItem(storageKey(id)) ?? "null");
    const age = Date.now() - stored?.at;
    return stored?.language === language && age >= 0 && age < KEPT_MS ? stored.text : undefined;
  } catch {
    return undefined;
  }
}

async function storeText(id: Block, language: string | null, answer: Response): Promise<void> {
  try {
    const entry: StoredText = { language, at: Date.now(), text: await answer.text() };
    localStorage.setItem(storageKey(id), JSON.stringify(entry));
  } catch {
    // Blocked or full: the next visit fetches first.
  }
}
