import { VISIT_IDLE_MS } from "@musette/client/terms";

/** What a person does to a page; what the page does by itself is not among it. */
const TOUCHES = ["pointerdown", "touchmove", "wheel", "keydown", "click"];

/** A device that slept is noticed this soon, before anybody can have set its clock back. */
const LOOK_MS = 10_000;

export interface Presence {
  /** A touch that does not reach the document, such as one inside a frame. */
  touch(): void;
  stop(): void;
}

/**
 * Reports when another person may hold the phone: when the page comes back out of the browser's
 * back/forward cache and, without an account, when nobody has touched it for a quarter of an hour. A
 * phone that slept wakes with a touch: that is the first of whoever comes, and does nothing else.
 */
export function watchPresence(idle: boolean, onGone: () => void): Presence {
  const stopped = new AbortController();
  const { signal } = stopped;
  let wall = Date.now();
  let steady = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  // The steady clock stands still while some phones sleep; the other one can be set back.
  const idleMs = () => Math.max(Date.now() - wall, performance.now() - steady);
  const stop = () => {
    clearTimeout(timer);
    stopped.abort();
  };
  const gone = () => {
    if (signal.aborted) return true;
    if (idleMs() < VISIT_IDLE_MS) return false;
    stop();
    onGone();
    return true;
  };
  const wait = () => {
    clearTimeout(timer);
    const left = VISIT_IDLE_MS - Math.max(0, idleMs());
    timer = setTimeout(() => gone() || wait(), Math.min(LOOK_MS, left));
  };
  const touch = () => {
    wall = Date.now();
    steady = performance.now();
  };

  const shown = (event: PageTransitionEvent) => {
    if (!event.persisted) return;
    stop();
    onGone();
  };
  addEventListener("pageshow", shown, { signal });
  if (!idle) return { touch, stop };

  const touched = (event: Event) => {
    if (!gone()) return touch();
    event.stopPropagation();
    if (event.cancelable) event.preventDefault();
  };
  for (const type of TOUCHES)
    document.addEventListener(type, touched, { capture: true, passive: false, signal });
  document.addEventListener("visibilitychange", gone, { signal });
  wait();
  return { touch, stop };
}
