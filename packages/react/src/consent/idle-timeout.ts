import { VISIT_IDLE_MS } from "@musette/client/terms";

/** Events that only a user causes. */
const USER_EVENTS = ["pointerdown", "touchmove", "wheel", "keydown", "click"];

/** The interval of the checks. It is short, so that a check after sleep runs before a user can set the clock back. */
const CHECK_MS = 10_000;

export interface IdleTimeout {
  /** Reports activity that does not reach the document, such as a touch inside a frame. */
  touch(): void;
  /** Stops the checks and removes the listeners. */
  stop(): void;
}

/**
 * Calls `onTimeout` when another person may hold the phone: when the page is restored from the browser's
 * back/forward cache and, if `idle` is set, after `VISIT_IDLE_MS` without activity. The touch that wakes
 * a phone may be from the next person, so it is stopped.
 */
export function startIdleTimeout(idle: boolean, onTimeout: () => void): IdleTimeout {
  const stopped = new AbortController();
  const { signal } = stopped;
  let wall = Date.now();
  let monotonic = performance.now();
  let lastSeen = wall;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // Uses both clocks. The monotonic clock stops while some phones sleep. The wall clock can be set back, so
  // each check subtracts such a change from `wall`.
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
  const timedOut = () => {
    if (signal.aborted) return true;
    if (idleMs() < VISIT_IDLE_MS) return false;
    stop();
    onTimeout();
    return true;
  };
  const scheduleCheck = () => {
    clearTimeout(timer);
    const remainingMs = VISIT_IDLE_MS - Math.max(0, idleMs());
    timer = setTimeout(() => timedOut() || scheduleCheck(), Math.min(CHECK_MS, remainingMs));
  };
  const touch = () => {
    wall = Date.now();
    monotonic = performance.now();
  };

  const onPageShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return;
    stop();
    onTimeout();
  };
  addEventListener("pageshow", onPageShow, { signal });
  if (!idle) return { touch, stop };

  const onUserEvent = (event: Event) => {
    if (!timedOut()) return touch();
    event.stopPropagation();
    if (event.cancelable) event.preventDefault();
  };
  for (const type of USER_EVENTS)
    document.addEventListener(type, onUserEvent, { capture: true, passive: false, signal });
  document.addEventListener("visibilitychange", timedOut, { signal });
  scheduleCheck();
  return { touch, stop };
}
