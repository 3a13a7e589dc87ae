/**
 * Moves focus and scroll position to the heading of the new screen in `container`. The previous screen may have
 * been scrolled down, and the pressed button no longer exists. Otherwise the new screen would start in its middle.
 */
export function focusHeading(container: Element): void {
  const heading = container.querySelector<HTMLElement>(".mu-consent h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.closest(".mu-consent")?.scrollIntoView();
}
