import type { Fetch } from "../http";
import { type Logout, type Reason, type RefusedRequest, SessionError } from "./failure";
import { type Culprit, createFlights } from "./flights";
import { judge } from "./machine";
import type { Managers } from "./managers";
import { type Outcome, refresh } from "./refresh";
import { unless } from "./timing";
import { decode, isExpired } from "./token";
import { createTokenStore } from "./tokens";

export interface KeeperOptions {
  readonly refreshUrl: string;
  readonly onLogout: (logout: Logout) => void;
  readonly on403: "logout" | "reject";
  readonly hardened: boolean;
  readonly send: Fetch;
  changed(): void;
}

/** What is remembered of a request, so that its refusal can be judged. */
export interface Ticket {
  readonly request: RefusedRequest;
  /** Its place among requests and log-outs: one log-out is enough for all that were under way. */
  readonly issued: number;
  readonly sent?: string | undefined;
  readonly retried?: boolean;
}

/** Replay it, or reject it, with what the error is to give as its cause. */
export type Verdict = { readonly replay: true } | { readonly replay: false; cause?: Error };

type Abort = AbortSignal | null | undefined;

/** An answer of 401 or 403, and what matters of its request. */
export interface Answer {
  readonly status: number;
  readonly date: string | null | undefined;
  readonly stream: boolean;
  readonly signal: Abort;
}

/** A body that can be read only once is not sent with a token that ends on the way. */
const STREAM_MARGIN_MS = 30_000;

export type Keeper = ReturnType<typeof createKeeper>;

/** Lets requests in, judges their refusals and says when the session has ended. */
export function createKeeper(options: KeeperOptions, managers: Managers) {
  const { hardened, send } = options;
  const store = createTokenStore(managers, hardened);
  let offsetMs = 0;
  let places = 0;
  let lastLogout = 0;

  const serverNow = () => managers.now() + offsetMs;
  const refreshable = () => hardened || !!store.current()?.refresh;

  function observe(date: string | null | undefined) {
    const sentAt = Date.parse(date ?? "");
    // The header is cut to the second. Its end is taken: a token that the server found expired
    // must look expired here, since "not expired" logs out, and a needless refresh does no harm.
    if (sentAt) offsetMs = sentAt + 1000 - managers.now();
  }

  const flights = createFlights({
    managers,
    changed: options.changed,
    run(wanted): Promise<Outcome> {
      const stale = store.current();
      if (!stale || !refreshable()) return Promise.resolve({ reason: "missing_token" });
      const { refreshUrl } = options;
      const context = { managers, store, send, refreshUrl, hardened, serverNow, observe };
      return refresh(context, stale, wanted);
    },
    landed(outcome, culprit) {
      if ("tokens" in outcome) return undefined;
      if ("reason" in outcome) return fail(outcome.reason, culprit);
      const failure = new SessionError("refresh_unavailable");
      // The tries in between are ours: the host has been told already that there is no answer.
      if (culprit) tell(failure, culprit);
      return failure;
    },
  });

  function tell({ reason, final }: SessionError, culprit?: Culprit) {
    try {
      options.onLogout({ reason, final, ...culprit });
    } catch (error) {
      // A fault of the host's is shown as one, and holds up none of the requests that wait.
      managers.after(0, () => {
        throw error;
      });
    }
  }

  /** Ends the session of this tab, and once of every tab. */
  function end(failure: SessionError) {
    lastLogout = ++places;
    const last = store.clear();
    managers.share({ access: undefined, refresh: undefined });
    if (last) managers.channel.post({ ended: last, reason: failure.reason });
    flights.stop(failure);
    options.changed();
  }

  function fail(reason: Reason, culprit?: Culprit, issued = Infinity): SessionError {
    const failure = new SessionError(reason);
    if (!failure.final) {
      if (options.on403 === "logout") tell(failure, culprit);
    } else if (issued > lastLogout) {
      end(failure);
      tell(failure, culprit);
    }
    return failure;
  }

  managers.channel.listen((message) => {
    if ("tokens" in message) {
      store.adopt(message.tokens);
      if (flights.phase() === "suspended") flights.stop();
    } else if (store.forget(message.ended)) {
      lastLogout = ++places;
      const failure = new SessionError(message.reason);
      flights.stop(failure);
      tell(failure);
    }
    options.changed();
  });
  store.current();

  return {
    store,
    flights,
    end,
    admit: (request: RefusedRequest): Ticket => ({ request, issued: ++places }),

    /** Waits for a refresh under way, and answers with the ticket to send the request with. */
    async enter(ticket: Ticket, stream: boolean, signal: Abort): Promise<Ticket> {
      let landing = flights.current();
      const token = store.current()?.access;
      if (!landing && stream && token && refreshable()) {
        const soonMs = serverNow() + STREAM_MARGIN_MS;
        if (isExpired(decode(token) ?? {}, soonMs)) landing = flights.join(ticket);
      }
      const failure = await unless(signal, landing);
      if (failure) throw failure;
      return { ...ticket, sent: store.current()?.access };
    },

    /** What becomes of a request that was answered with 401 or 403. */
    async refused(ticket: Ticket, refusal: Answer): Promise<Verdict> {
      const { status, date, stream, signal } = refusal;
      const { sent, retried = false, request, issued } = ticket;
      const culprit = { status, request };
      observe(date);
      const judged = () =>
        judge({
          status,
          sent,
          retried,
          current: store.current()?.access,
          refreshable: refreshable(),
          nowMs: serverNow(),
        });
      let verdict = judged();
      if (verdict === "refresh") {
        const failure = await unless(signal, flights.join(culprit));
        if (failure) return { replay: false, cause: failure };
        verdict = judged() === "replay" ? "replay" : "reject";
      }
      if (verdict === "replay") {
        return stream
          ? { replay: false, cause: Error("The body is a stream, which cannot be sent again") }
          : { replay: true };
      }
      if (verdict === "reject") return { replay: false };
      return { replay: false, cause: fail(verdict, culprit, issued) };
    },
  };
}
