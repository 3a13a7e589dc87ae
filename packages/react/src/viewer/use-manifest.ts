import { useEffect, useState } from "react";
import { type Fetch, loadManifest, type Manifest } from "./manifest";
import type { Source } from "./source";

export type Loaded = "loading" | "failed" | "refused" | "foreign" | Manifest;

export function useManifest(source: Source | undefined, fetch: Fetch, attempt: number): Loaded {
  const url = source?.manifest;
  const key = `${url} ${attempt}`;
  const [answer, setAnswer] = useState<{ key: string; loaded: Loaded }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new fetch function is no new document
  useEffect(() => {
    if (!url) return;
    let wanted = true;
    loadManifest(url, fetch)
      .then(
        (manifest) => manifest ?? "foreign",
        () => "failed" as const,
      )
      .then((loaded) => wanted && setAnswer({ key, loaded }));
    return () => {
      wanted = false;
    };
  }, [key]);
  if (!source) return "refused";
  if (!url) return "foreign";
  return answer?.key === key ? answer.loaded : "loading";
}

/** The next document's first answer is there when the person asks for it. */
export function usePrefetch(source: Source | undefined, ready: boolean, fetch: Fetch): void {
  const url = ready ? source?.manifest : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new fetch function is no new document
  useEffect(() => {
    if (!url) return;
    const timer = setTimeout(() => loadManifest(url, fetch).catch(() => {}), 500);
    return () => clearTimeout(timer);
  }, [url]);
}
