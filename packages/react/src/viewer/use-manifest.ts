import { useEffect, useState } from "react";
import { type Fetch, loadManifest, type Manifest } from "./manifest";
import type { Source } from "./source";

export type Loaded = "loading" | "failed" | "refused" | "foreign" | Manifest;

/** Afterwards also fetches the one of the document that comes next, while there is time for it. */
export function useManifest(
  source: Source | undefined,
  following: Source | undefined,
  fetch: Fetch,
  attempt: number,
): Loaded {
  const url = source?.manifest;
  const next = following?.manifest;
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
      .then((loaded) => {
        if (!wanted) return;
        setAnswer({ key, loaded });
        if (next) setTimeout(() => loadManifest(next, fetch).catch(() => {}), 500);
      });
    return () => {
      wanted = false;
    };
  }, [key]);
  if (!source) return "refused";
  if (!url) return "foreign";
  return answer?.key === key ? answer.loaded : "loading";
}
