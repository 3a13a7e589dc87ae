import { kindOf } from "./cacheable";
import { documentPart, terms } from "./public-reads";
import { scope } from "./scope";
import { file } from "./versions";

/** The URLs that a page loaded before its service worker was active. */
export interface LoadedMessage {
  readonly urls: readonly string[];
  readonly language: string;
}

export function asLoadedMessage(data: unknown): LoadedMessage | undefined {
  const { urls, language } = (data ?? {}) as Partial<LoadedMessage>;
  return Array.isArray(urls) && typeof language === "string" ? { urls, language } : undefined;
}

/** Caches the responses of these URLs. The browser's HTTP cache has nearly all of them. */
export async function cacheLoaded({ urls, language }: LoadedMessage): Promise<void> {
  const headers = { Accept: "application/json", "Accept-Language": language };
  for (const url of urls.map((path) => new URL(path, scope.location.origin).href)) {
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
