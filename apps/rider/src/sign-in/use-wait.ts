import { useEffect, useState } from "react";

/** Returns the remaining time as "1:05"; undefined when it is over. */
export function useWait(untilMs: number): string | undefined {
  const [nowMs, setNowMs] = useState(Date.now);
  const seconds = Math.ceil((untilMs - nowMs) / 1000);

  useEffect(() => {
    // Reads the clock instead of counting: timers in a background page are throttled.
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(() => {
      tick();
      if (Date.now() >= untilMs) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [untilMs]);

  return seconds > 0 ? minutes(seconds) : undefined;
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
