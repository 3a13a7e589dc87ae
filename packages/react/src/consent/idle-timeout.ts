import { VISIT_IDLE_MS } from "@musette/client/terms";

/** Events that only a person causes. */
const TOUCHES = ["pointerdown", "touchmove", "wheel", "keydown", "click"];

/** The interval of the checks: short, so that sleep is noticed before anybody sets the clock back. */
const CHECK_MS = 10_000;

export interface IdleTimeout {
  /** Reports activity that does not reach the document, such as a touch inside a frame. */
  touch(): void;
  stop(): void;
}

/**
 * Calls `onGone` when another person may hold the phone: when the page is restored from the browser's
 * back/forward cache and, if `idle` is set, after `VISIT_IDLE_MS` without activity. The touch that wakes
 * a phone may be the next person's, so it is swallowed.
 */
export function startIdleTimeout(idle: boolean, onGone: () => void): IdleTimeout {
  const stopped = new AbortController();
  const { signal } = stopped;
  let wall = Date.now();
  let monotonic = performance.now();
  let lastSeen = wall;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // The monotonic clock stops while some phones sleep; the wall clock can be set back, which each check
  // takes off again.
  const idleMs = () => {
    const now = Date.now();
    if (now < lastSeen) wall -= lastSeen - now;
    lastSeen = now;
    return Math.max(now - wall, performance.now() - monotonic);
  };
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
    timer = setTimeout(() => gone() || wait(), Math.min(CHECK_MS, left));
  };
  const touch = () => {
    wall = Date.now();
    monotonic = performance.now();
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
