import { refetchTerms } from "@musette/react/consent";
import { TERMS_RENEWED } from "./worker-messages";

/** Fetches the terms on the screen again when the worker reports that they are stale. */
export function refetchStaleTerms(): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data === TERMS_RENEWED) refetchTerms();
  });
}
