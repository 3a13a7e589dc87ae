const FOCUSABLE =
  'a[href],button:not([disabled]),input:not([disabled]),select:not([disabled]),textarea:not([disabled]),[tabindex]:not([tabindex="-1"])';

/**
 * Keeps the focus inside a dialog: Tab wraps around at both ends. A native modal dialog makes the page inert, but
 * Tab can still move to the toolbars of the browser, where users of screen readers lose their place.
 */
export function keepTabInside(event: {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly currentTarget: HTMLElement;
  preventDefault(): void;
}): void {
  if (event.key !== "Tab") return;
  const stops = event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE);
  const first = stops[0];
  const last = stops[stops.length - 1];
  const active = document.activeElement;
  if (!first || !last) {
    event.preventDefault();
  } else if (
    event.shiftKey ? active === first || active === event.currentTarget : active === last
  ) {
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  }
}
