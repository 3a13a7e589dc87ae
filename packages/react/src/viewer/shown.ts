import { elementInView } from "./zoom";

/**
 * Reports which pages can really be seen: in view, and with a picture that is decoded, or as text. This
 * is evidence, so it errs on the side of saying nothing: while the browser tab is hidden no frame is
 * drawn, and nothing counts.
 */
export function watchShown(scroller: HTMLElement, onShown: (page: number) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  const seen = async () => {
    const element = elementInView(scroller);
    const picture = element?.querySelector("img");
    if (picture) {
      if (!picture.complete || !picture.naturalWidth) return;
      // A picture that is cut off comes, but is never drawn. It may also have been scrolled away since.
      const drawn = await picture.decode().then(
        () => true,
        () => false,
      );
      if (!drawn || elementInView(scroller) !== element) return;
    }
    const page = Number(element?.dataset.page);
    if (page && !signal.aborted) onShown(page);
  };
  const look = () => requestAnimationFrame(() => signal.aborted || seen());

  // Captured, since the `load` event of a picture does not bubble.
  scroller.addEventListener("load", look, { capture: true, signal });
  scroller.addEventListener("scroll", look, { signal });
  const grown = new MutationObserver(look);
  grown.observe(scroller, { childList: true, subtree: true });
  look();
  return () => {
    ended.abort();
    grown.disconnect();
  };
}
