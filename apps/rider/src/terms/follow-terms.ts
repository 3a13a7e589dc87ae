import { mutate } from "swr";
import { TERMS_RENEWED } from "./worker-messages";

const areTerms = (key: unknown) => Array.isArray(key) && key[0] === "musette/terms";

/** Asks again for the terms on the screen when the worker has learned that those it gave are old. */
export function followTerms(): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data === TERMS_RENEWED) mutate(areTerms).catch(() => undefined);
  });
}
