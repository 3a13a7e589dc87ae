import { pageCache } from "../reading/use-read";
import { TERMS } from "./use-terms";

/** Refetches the terms on the screen. Call it when your application knows that they are outdated. Never rejects. */
export function refetchTerms(): Promise<void> {
  return pageCache.refetchAll(JSON.stringify([TERMS]).slice(0, -1));
}
