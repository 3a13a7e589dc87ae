import { isFrugal } from "@musette/client/http";
import type { Term } from "@musette/client/terms";
import { prepareReader } from "./reader";

/** The number of documents whose manifests are prefetched. A manifest has a few kilobytes. */
const DOCUMENTS_MAX = 6;
/** The delay in browsers without `requestIdleCallback`. */
const IDLE_AFTER_MS = 1_000;

/** Prefetches the code and data for the first opened document when the browser is idle. Returns a function that cancels. */
export function prepareSoon(terms: readonly Term[]): (() => void) | undefined {
  if (isFrugal()) return undefined;
  const prepare = () => prepareReader(terms.slice(0, DOCUMENTS_MAX));
  if ("requestIdleCallback" in globalThis) {
    const handle = requestIdleCallback(prepare);
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(prepare, IDLE_AFTER_MS);
  return () => clearTimeout(handle);
}
