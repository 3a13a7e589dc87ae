const FOCUSABLE =
  'a[href],button:not([disabled]),input:not([disabled]),select:not([disabled]),textarea:not([disabled]),[tabindex]:not([tabindex="-1"])';

/**
 * A native modal dialog makes the page inert but lets Tab leave for the browser's own bars; people
 * who hear the page lose their place there. Wraps round at both ends instead.
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
