import { isFrugal } from "@musette/client/http";
import type { Term } from "@musette/client/terms";
import { prepareReader } from "./reader";

/** Documents whose manifests are fetched beforehand: a few kilobytes each. */
const DOCUMENTS_MOST = 6;
/** Where the browser does not say when it is idle. */
const IDLE_AFTER_MS = 1_000;

/** Once the screen is at rest: what the first tap on a document needs. Returns what calls it off. */
export function prepareSoon(terms: readonly Term[]): (() => void) | undefined {
  if (isFrugal()) return undefined;
  const prepare = () => prepareReader(terms.slice(0, DOCUMENTS_MOST));
  if ("requestIdleCallback" in globalThis) {
    const waiting = requestIdleCallback(prepare);
    return () => cancelIdleCallback(waiting);
  }
  const waiting = setTimeout(prepare, IDLE_AFTER_MS);
  return () => clearTimeout(waiting);
}
