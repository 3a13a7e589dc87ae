import type { RefusedRequest, SessionError } from "./failure";
import { DELAY_MAX_MS, type Event, IDLE, type State, step } from "./machine";
import type { Managers } from "./managers";
import type { Outcome } from "./refresh";

/** A refresh under way, and everybody who waits for it. Resolves to why it failed, or to nothing. */
export type Landing = Promise<SessionError | undefined>;

/** The request that a failure is reported with. */
export interface Culprit {
  readonly request: RefusedRequest;
  readonly status?: number | undefined;
}

interface Flight {
  readonly landing: Landing;
  land(failure?: SessionError): void;
  /** None while only a timer asked for it. */
  culprit?: Culprit;
}

interface Pilot {
  readonly managers: Managers;
  run(wanted: () => boolean): Promise<Outcome>;
  /** What the outcome means for the session; called once a flight, and not for a stopped one. */
  landed(outcome: Outcome, culprit?: Culprit): SessionError | undefined;
  changed(): void;
}

export type Flights = ReturnType<typeof createFlights>;

/** Runs what the machine decides: at most one refresh at a time in this tab. */
export function createFlights(pilot: Pilot) {
  const { managers } = pilot;
  let state: State = IDLE;
  let flight: Flight | undefined;
  let notBeforeMs = 0;
  let stopTimer = () => {};

  async function fly(own: Flight) {
    const wanted = () => flight === own;
    const waitMs = notBeforeMs - managers.now();
    const told = waitMs > 0;
    const outcome = await (told ? { retryAfterMs: waitMs } : pilot.run(wanted));
    if (!wanted()) return;
    flight = undefined;
    if ("retryAfterMs" in outcome) {
      const { retryAfterMs } = outcome;
      move({ type: "unanswered", retryAfterMs, random: managers.random() });
      if (!told) notBeforeMs = managers.now() + Math.min(retryAfterMs, DELAY_MAX_MS);
    } else {
      move({ type: "over" });
    }
    own.land(pilot.landed(outcome, own.culprit));
  }

  function move(event: Event) {
    const before = state;
    state = step(state, event);
    if (state === before) return;
    stopTimer();
    if (state.phase === "suspended") stopTimer = managers.after(state.delayMs, wake);
    if (state.phase === "refreshing") {
      let land: Flight["land"] = () => {};
      const landing: Landing = new Promise((resolve) => {
        land = resolve;
      });
      flight = { landing, land };
      fly(flight);
    }
    pilot.changed();
  }

  function wake() {
    move({ type: "woken" });
  }

  return {
    wake,
    phase: () => state.phase,
    current: () => flight?.landing,
    /** Starts a refresh, or waits for the one under way. */
    join({ request, status }: Culprit): Landing | undefined {
      move({ type: "needed" });
      if (flight) flight.culprit ??= { request, status };
      return flight?.landing;
    },
    /** The tokens came or went another way: whatever is under way is no longer wanted. */
    stop(failure?: SessionError) {
      const own = flight;
      flight = undefined;
      move({ type: "over" });
      own?.land(failure);
    },
  };
}
