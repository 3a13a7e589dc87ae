import { TERMS_RENEWED } from "../terms/worker-messages";
import { scope } from "./scope";
import { mayKeep } from "./what-may-be-kept";

/** Keeps the worker alive after its answer. */
export interface Lifetime {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const TERMS = "musette-public-terms";
const DOCUMENTS = "musette-public-documents";
/** Older terms say nothing about what has to be agreed to. */
const TERMS_KEPT_MS = 30 * 24 * 3600_000;
/** Parts of documents: a page of one is two or three. */
const DOCUMENT_PARTS_MOST = 600;

async function keptTerms(request: Request): Promise<Response | undefined> {
  // One of each language: the answer varies by it, and a cache compares what `Vary` names.
  const kept = await (await caches.open(TERMS)).match(request);
  const age = Date.now() - Date.parse(kept?.headers.get("date") ?? "");
  return age < TERMS_KEPT_MS ? kept : undefined;
}

/**
 * Stale-while-revalidate: what is kept at once, while the network is asked; the pages are told if its answer is
 * another one. From the network alone when the page asks past all caches.
 */
export async function terms(request: Request, { waitUntil }: Lifetime): Promise<Response> {
  const fresh = request.cache === "reload" || request.cache === "no-store";
  const kept = fresh ? undefined : await keptTerms(request).catch(() => undefined);
  if (!kept) return ask(request);
  const former = kept.clone().text();
  waitUntil(
    ask(request)
      .then((answer) => tellIfNew(answer, former))
      .catch(() => undefined),
  );
  return kept;
}

async function tellIfNew(answer: Response, former: Promise<string>): Promise<void> {
  if (!mayKeep("terms", answer) || (await answer.text()) === (await former)) return;
  for (const page of await scope.clients.matchAll()) page.postMessage(TERMS_RENEWED);
}

async function ask(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (mayKeep("terms", answer)) await keep(TERMS, request, answer.clone());
  return answer;
}

/** A part of a document never changes: what was read once needs no network. */
export async function documentPart(request: Request): Promise<Response> {
  const cache = await caches.open(DOCUMENTS).catch(() => undefined);
  const kept = await cache?.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (mayKeep("document", answer)) await keep(DOCUMENTS, request.url, answer.clone());
  return answer;
}

/** A full disk must not hold up what was asked for. */
async function keep(name: string, key: string | Request, answer: Response): Promise<void> {
  try {
    await (await caches.open(name)).put(key, answer);
  } catch {
    await caches.delete(name).catch(() => false);
  }
}

/** Lets go of what was read first. */
export async function trimDocuments(): Promise<void> {
  const cache = await caches.open(DOCUMENTS);
  const parts = await cache.keys();
  const over = parts.slice(0, Math.max(0, parts.length - DOCUMENT_PARTS_MOST));
  await Promise.all(over.map((part) => cache.delete(part)));
}
