import type { RefusedRequest } from "./failure";
import type { Keeper } from "./keeper";
import { judge } from "./machine";
import { unless } from "./timing";
import { decode, isExpired } from "./token";

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

export type Gate = ReturnType<typeof createGate>;

/** Lets requests in, and judges their refusals. */
export function createGate(keeper: Keeper) {
  const { store, flights, time } = keeper;
  return {
    admit: (request: RefusedRequest): Ticket => ({ request, issued: keeper.place() }),

    /** Waits for a refresh under way, and answers with the ticket to send the request with. */
    async enter(ticket: Ticket, stream: boolean, signal: Abort): Promise<Ticket> {
      let landing = flights.current();
      const token = store.current()?.access;
      if (!landing && stream && token && keeper.refreshable()) {
        const soonMs = time.now() + STREAM_MARGIN_MS;
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
      time.observe(date);
      const judged = () =>
        judge({
          status,
          sent,
          retried,
          current: store.current()?.access,
          refreshable: keeper.refreshable(),
          nowMs: time.now(),
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
      return { replay: false, cause: keeper.fail(verdict, culprit, issued) };
    },
  };
}
