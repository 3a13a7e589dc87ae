import { isFrugal } from "@musette/client/http";
import { useEffect } from "react";
import { type Fetch, loadJson, type Manifest } from "./manifest";
import type { Source } from "./source";
import { usePromise } from "./use-answer";

export type Loaded = "loading" | "failed" | "refused" | "external" | Manifest;

/** Loads the manifest of a document. Then prefetches the manifest of the next document. */
export function useManifest(
  source: Source | undefined,
  next: string | undefined,
  fetch: Fetch,
  attempt: number,
): Loaded {
  const url = source?.manifest;
  const { value, error } = usePromise(url && `${url} ${attempt}`, () =>
    loadJson<Manifest>(url as string, fetch),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new fetch function is not a new address
  useEffect(() => {
    if (!value || !next || isFrugal()) return;
    const timer = setTimeout(() => loadJson(next, fetch).catch(() => {}), 500);
    return () => clearTimeout(timer);
  }, [value, next]);

  if (!source) return "refused";
  if (value?.pages?.length) return value;
  // A host whose links only resemble those of Musette responds with 404, or with a page instead of JSON.
  const hasNoManifest = value || error instanceof SyntaxError || (error as number) < 429;
  if (!url || hasNoManifest) return "external";
  return error ? "failed" : "loading";
}
