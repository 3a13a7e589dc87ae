import { PUBLIC_MARKETS, PUBLIC_TERMS } from "./cacheable";

const WORKER = "/worker.js";

/** Registers the worker after the first screen, so the two do not share the bandwidth. */
export function registerWorker(language: () => string): void {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  const uncontrolled = !navigator.serviceWorker.controller;
  const begin = async () => {
    await navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });
    if (uncontrolled) cacheOnWorker(await navigator.serviceWorker.ready);
  };
  const cacheOnWorker = ({ active }: ServiceWorkerRegistration) =>
    active?.postMessage({ urls: loadedUrls(), language: language() });
  // Without a worker, the app works as a plain page.
  const quietly = () => begin().catch(() => undefined);
  if (document.readyState === "complete") quietly();
  else addEventListener("load", quietly, { once: true });
}

/** The worker decides which of these it may keep. */
function loadedUrls(): readonly string[] {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = loaded.filter((name) => name.startsWith(location.origin));
  const lists = [PUBLIC_MARKETS, PUBLIC_TERMS].map((path) => `${path}?types=FREELANCER,MARKETING`);
  // The files first: without the texts of its language the app does not start.
  return [...own, ...lists];
}
