import { useEffect, useState } from "react";

/** Until when it is still to wait, as "1:05"; nothing when the time has come. */
export function useWait(untilMs: number): string | undefined {
  const [nowMs, setNowMs] = useState(Date.now);
  const left = Math.ceil((untilMs - nowMs) / 1000);

  useEffect(() => {
    // By the clock and not by counting: a page in the background gets few ticks.
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(() => {
      tick();
      if (Date.now() >= untilMs) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [untilMs]);

  return left > 0 ? minutes(left) : undefined;
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
