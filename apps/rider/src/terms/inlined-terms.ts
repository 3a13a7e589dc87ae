import { asTerms, type fetchMarkets, resolveContent, type Term } from "@musette/client/terms";

type Markets = Awaited<ReturnType<typeof fetchMarkets>>;

/** In the page of `/apply`, by what they answer; their `lang` is the language that the terms were listed for. */
const BLOCKS = {
  "/public/terms?types=FREELANCER,MARKETING": "musette-terms",
  "/public/markets?types=FREELANCER,MARKETING": "musette-markets",
} as const;
type Block = (typeof BLOCKS)[keyof typeof BLOCKS];

/** How long a cache may keep the same answer. */
const FRESH_MS = 60_000;
/** How long the terms of an earlier visit are shown: as long as the worker does (docs/decisions/0022). */
const KEPT_MS = 30 * 24 * 3600_000;

/** The global `fetch`, which is spared the first question for the public terms and the markets. */
export const fetchInlined: typeof fetch = async (asked, init) => {
  const id = Object.entries(BLOCKS).find(([question]) => String(asked).endsWith(question))?.[1];
  if (!id) return fetch(asked, init);
  const language = new Headers(init?.headers).get("accept-language");
  const inlined = init?.cache ? undefined : inlinedText(id, language);
  document.getElementById(id)?.remove();
  const answer = inlined === undefined ? await fetch(asked, init) : new Response(inlined);
  if (answer.ok) keep(id, language, answer.clone());
  return answer;
};

/** The terms that the page came with or that this device saw last, for the first drawing: it asks anew meanwhile. */
export function initialTerms(language: string): readonly Term[] | undefined {
  const found = inlinedText("musette-terms", language) ?? keptText("musette-terms", language);
  try {
    const terms = found === undefined ? undefined : asTerms(JSON.parse(found));
    return terms?.map((term) => resolveContent(term));
  } catch {
    return undefined;
  }
}

/** The markets, where `initialTerms` has the terms from. */
export function initialMarkets(): Markets | undefined {
  const found = inlinedText("musette-markets", null) ?? keptText("musette-markets", null);
  try {
    const list: Markets | undefined = found === undefined ? undefined : JSON.parse(found);
    return Array.isArray(list?.markets) ? list : undefined;
  } catch {
    return undefined;
  }
}

function inlinedText(id: Block, language: string | null): string | undefined {
  const block = document.getElementById(id);
  if (!block) return undefined;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // On the way back a browser shows a page that it kept, however old.
  const isOld = visit?.type === "back_forward" || performance.now() > FRESH_MS;
  const isMine = language === null || block.lang === language;
  return isMine && !isOld ? (block.textContent ?? undefined) : undefined;
}

interface Kept {
  readonly language: string | null;
  readonly at: number;
  readonly text: string;
}

// Public, and the same for all who use this device.
const keptAs = (id: Block) => `musette.public.${id}`;

function keptText(id: Block, language: string | null): string | undefined {
  try {
    const kept: Kept = JSON.parse(localStorage.getItem(keptAs(id)) ?? "null");
    const age = Date.now() - kept?.at;
    return kept?.language === language && age >= 0 && age < KEPT_MS ? kept.text : undefined;
  } catch {
    return undefined;
  }
}

async function keep(id: Block, language: string | null, answer: Response): Promise<void> {
  try {
    const kept: Kept = { language, at: Date.now(), text: await answer.text() };
    localStorage.setItem(keptAs(id), JSON.stringify(kept));
  } catch {
    // Blocked or full: the next visit asks first.
  }
}
