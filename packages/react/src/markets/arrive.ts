/**
 * Goes on at the heading of the screen that is drawn in `place` by now, from its top. The button that was pressed went
 * with the screen before, which may have been scrolled far down: without this the next one begins in its middle.
 */
export function arriveIn(place: Element): void {
  const heading = place.querySelector<HTMLElement>(".mu-consent h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.closest(".mu-consent")?.scrollIntoView();
}
