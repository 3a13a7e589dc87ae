import { elementInView } from "./zoom";

/**
 * Reports the pages that the user can see: in view, and as text or with a decoded image. The reports are evidence,
 * so in doubt it reports nothing. While the browser tab is hidden, no frame is rendered and no page counts.
 */
export function watchShown(scroller: HTMLElement, onShown: (page: number) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  const reportIfVisible = async () => {
    const element = elementInView(scroller);
    const picture = element?.querySelector("img");
    if (picture) {
      if (!picture.complete || !picture.naturalWidth) return;
      // A truncated image loads, but cannot be decoded. The page may also have left the view meanwhile.
      const isDecoded = await picture.decode().then(
        () => true,
        () => false,
      );
      if (!isDecoded || elementInView(scroller) !== element) return;
    }
    const page = Number(element?.dataset.page);
    if (page && !signal.aborted) onShown(page);
  };
  const scheduleCheck = () => requestAnimationFrame(() => signal.aborted || reportIfVisible());

  // In the capture phase, because the `load` event of an image does not bubble.
  scroller.addEventListener("load", scheduleCheck, { capture: true, signal });
  scroller.addEventListener("scroll", scheduleCheck, { signal });
  const observer = new MutationObserver(scheduleCheck);
  observer.observe(scroller, { childList: true, subtree: true });
  scheduleCheck();
  return () => {
    controller.abort();
    observer.disconnect();
  };
}
