import { documentPart, terms } from "./public-reads";
import { scope } from "./scope";
import { file } from "./versions";
import { kindOf } from "./what-may-be-kept";

/** What a page had loaded before there was a worker to cache it. */
export interface LoadedMessage {
  readonly seen: readonly string[];
  readonly language: string;
}

export function asLoadedMessage(data: unknown): LoadedMessage | undefined {
  const { seen, language } = (data ?? {}) as Partial<LoadedMessage>;
  return Array.isArray(seen) && typeof language === "string" ? { seen, language } : undefined;
}

/** Caches it now. The browser's HTTP cache has nearly all of it. */
export async function cacheLoaded({ seen, language }: LoadedMessage): Promise<void> {
  const headers = { Accept: "application/json", "Accept-Language": language };
  for (const url of seen.map((path) => new URL(path, scope.location.origin).href)) {
    const request = new Request(url, url.includes("/terms") ? { headers } : {});
    const kind = kindOf(request, scope.location.origin);
    const ask = { terms, document: documentPart, file, page: undefined }[kind ?? "page"];
    // The caller keeps the worker alive until all of this is finished.
    const started: Promise<unknown>[] = [];
    const lifetime = { waitUntil: (work: Promise<unknown>) => void started.push(work) };
    await ask?.(request, lifetime).catch(() => undefined);
    await Promise.all(started);
  }
}
