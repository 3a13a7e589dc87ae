import { TERMS_RENEWED } from "../terms/worker-messages";
import { mayCache } from "./cacheable";
import { scope } from "./scope";

/** Keeps the worker alive after its answer. */
export interface Lifetime {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const TERMS = "musette-public-terms";
const DOCUMENTS = "musette-public-documents";
/** Older terms do not say what must be agreed to today. */
const TERMS_KEPT_MS = 30 * 24 * 3600_000;
/** Parts of documents: one page has two or three. */
const DOCUMENT_PARTS_MOST = 600;

async function cachedTerms(request: Request): Promise<Response | undefined> {
  // One per language: the answer varies by it, and a cache compares the headers that `Vary` names.
  const cached = await (await caches.open(TERMS)).match(request);
  const age = Date.now() - Date.parse(cached?.headers.get("date") ?? "");
  return age < TERMS_KEPT_MS ? cached : undefined;
}

/**
 * Stale-while-revalidate: answers from the cache at once and fetches meanwhile. It notifies the
 * pages if the new answer differs. Uses only the network if the page bypasses all caches.
 */
export async function terms(request: Request, { waitUntil }: Lifetime): Promise<Response> {
  const fresh = request.cache === "reload" || request.cache === "no-store";
  const cached = fresh ? undefined : await cachedTerms(request).catch(() => undefined);
  if (!cached) return fetchTerms(request);
  const former = cached.clone().text();
  waitUntil(
    fetchTerms(request)
      .then((answer) => notifyIfChanged(answer, former))
      .catch(() => undefined),
  );
  return cached;
}

async function notifyIfChanged(answer: Response, former: Promise<string>): Promise<void> {
  if (!mayCache("terms", answer) || (await answer.text()) === (await former)) return;
  for (const page of await scope.clients.matchAll()) page.postMessage(TERMS_RENEWED);
}

async function fetchTerms(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (mayCache("terms", answer)) await putInCache(TERMS, request, answer.clone());
  return answer;
}

/** Returns a part of a document. It never changes, so it needs no network after the first read. */
export async function documentPart(request: Request): Promise<Response> {
  const cache = await caches.open(DOCUMENTS).catch(() => undefined);
  const cached = await cache?.match(request.url);
  if (cached) return cached;
  const answer = await fetch(request);
  if (mayCache("document", answer)) await putInCache(DOCUMENTS, request.url, answer.clone());
  return answer;
}

/** Stores an answer. A full disk must not delay the answer to the page. */
async function putInCache(name: string, key: string | Request, answer: Response): Promise<void> {
  try {
    await (await caches.open(name)).put(key, answer);
  } catch {
    await caches.delete(name).catch(() => false);
  }
}

/** Removes the parts that were read first. */
export async function trimDocuments(): Promise<void> {
  const cache = await caches.open(DOCUMENTS);
  const parts = await cache.keys();
  const over = parts.slice(0, Math.max(0, parts.length - DOCUMENT_PARTS_MOST));
  await Promise.all(over.map((part) => cache.delete(part)));
}
