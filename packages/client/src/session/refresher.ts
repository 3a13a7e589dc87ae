import type { RefusedRequest, SessionError } from "./failure";
import type { Managers } from "./managers";
import type { Outcome } from "./refresh";
import { DELAY_MAX_MS, type Event, IDLE, type State, step } from "./refresh-state";

/** Resolves when the refresh in flight has ended: to its error, or to undefined if it succeeded. */
export type RefreshResult = Promise<SessionError | undefined>;

/** The request that started a refresh. The report of a failure includes it. */
export interface Trigger {
  readonly request: RefusedRequest;
  readonly status?: number | undefined;
}

interface InFlight {
  readonly result: RefreshResult;
  resolve(failure?: SessionError): void;
  /** Undefined if a timer started the refresh and no request has joined it. */
  trigger?: Trigger;
}

interface RefresherContext {
  readonly managers: Managers;
  run(isCurrent: () => boolean): Promise<Outcome>;
  /** Applies the outcome to the session. Called once for each refresh that was not stopped. */
  settled(outcome: Outcome, trigger?: Trigger): SessionError | undefined;
  changed(): void;
}

export type Refresher = ReturnType<typeof createRefresher>;

/** Creates the refresher. It runs one refresh at a time in this tab, shared by all requests (single-flight). */
export function createRefresher(context: RefresherContext) {
  const { managers } = context;
  let state: State = IDLE;
  let inFlight: InFlight | undefined;
  let notBeforeMs = 0;
  let stopTimer = () => {};

  async function start(started: InFlight) {
    const isCurrent = () => inFlight === started;
    const waitMs = notBeforeMs - managers.now();
    const isTooEarly = waitMs > 0;
    const outcome = await (isTooEarly ? { retryAfterMs: waitMs } : context.run(isCurrent));
    if (!isCurrent()) return;
    inFlight = undefined;
    if ("retryAfterMs" in outcome) {
      const { retryAfterMs } = outcome;
      move({ type: "unanswered", retryAfterMs, random: managers.random() });
      if (!isTooEarly) notBeforeMs = managers.now() + Math.min(retryAfterMs, DELAY_MAX_MS);
    } else {
      move({ type: "over" });
    }
    started.resolve(context.settled(outcome, started.trigger));
  }

  function move(event: Event) {
    const before = state;
    state = step(state, event);
    if (state === before) return;
    stopTimer();
    if (state.phase === "suspended") stopTimer = managers.after(state.delayMs, wake);
    if (state.phase === "refreshing") {
      let resolve: InFlight["resolve"] = () => {};
      const result: RefreshResult = new Promise((resolvePromise) => {
        resolve = resolvePromise;
      });
      inFlight = { result, resolve };
      start(inFlight);
    }
    context.changed();
  }

  function wake() {
    move({ type: "woken" });
  }

  return {
    wake,
    phase: () => state.phase,
    current: () => inFlight?.result,
    /** Starts a refresh or joins the refresh in flight. */
    join({ request, status }: Trigger): RefreshResult | undefined {
      move({ type: "needed" });
      if (inFlight) inFlight.trigger ??= { request, status };
      return inFlight?.result;
    },
    /** Drops the refresh in flight, because the tokens were set or removed in another way. */
    stop(failure?: SessionError) {
      const stopped = inFlight;
      inFlight = undefined;
      move({ type: "over" });
      stopped?.resolve(failure);
    },
  };
}
