import { refetchTerms } from "@musette/react/consent";
import { TERMS_RENEWED } from "./worker-messages";

/** Asks again for the terms on the screen when the worker has learned that those it gave are old. */
export function followTerms(): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data === TERMS_RENEWED) refetchTerms();
  });
}
