import { isFrugal } from "@musette/client/http";
import { useEffect } from "react";
import { type Fetch, loadJson, type Manifest } from "./manifest";
import type { Source } from "./source";
import { useAnswer } from "./use-answer";

export type Loaded = "loading" | "failed" | "refused" | "foreign" | Manifest;

/** Afterwards also fetches the one of the document that comes next, while there is time for it. */
export function useManifest(
  source: Source | undefined,
  next: string | undefined,
  fetch: Fetch,
  attempt: number,
): Loaded {
  const url = source?.manifest;
  const { value, error } = useAnswer(url && `${url} ${attempt}`, () =>
    loadJson<Manifest>(url as string, fetch),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new fetch function is no new address
  useEffect(() => {
    if (!value || !next || isFrugal()) return;
    const timer = setTimeout(() => loadJson(next, fetch).catch(() => {}), 500);
    return () => clearTimeout(timer);
  }, [value, next]);

  if (!source) return "refused";
  if (value?.pages?.length) return value;
  // A host whose links only look like ours answers 404, or a page of its own instead of JSON.
  const none = value || error instanceof SyntaxError || (error as number) < 429;
  if (!url || none) return "foreign";
  return error ? "failed" : "loading";
}
